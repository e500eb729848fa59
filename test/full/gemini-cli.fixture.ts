import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { listen } from '../kit/listen.ts';

const run = promisify(execFile);
const PACKAGE = '@google/gemini-cli@0.61.0';
const MODEL = 'gemini-2.5-pro';

/** Installs Gemini CLI into a folder; answers the path of its script. Without its optional, native packages it is one package. */
export async function installGeminiCli(folder: string): Promise<string> {
  const flags = ['--no-save', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, '--prefix', folder, PACKAGE], { cwd: folder });
  return join(folder, 'node_modules/@google/gemini-cli/bundle/gemini.js');
}

/** What a model answers to one request. */
export interface Answer {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly args: object };
  /** Tokens that it says the request had: by these the host decides whether to compress. */
  readonly promptTokens?: number;
}

/** A request as the model gets it. */
export interface ModelRequest {
  /** The texts of the conversation, oldest first. */
  readonly texts: readonly string[];
  /** Names of the tools the model may call. */
  readonly tools: readonly string[];
  /** Whether it belongs to the conversation; the host's own requests, such as for a summary, do not. */
  readonly isTurn: boolean;
}

export interface ScriptedModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

interface Body {
  readonly contents?: readonly { readonly parts?: readonly { readonly text?: string }[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}

/** A model server on loopback that speaks the Gemini API and answers what it is told to. */
export async function startScriptedModel(answer: (request: ModelRequest) => Answer): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { contents = [], tools = [] }: Body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const isTurn = request.url?.includes(':streamGenerateContent') ?? false;
    const asked: ModelRequest = {
      texts: contents.flatMap(({ parts = [] }) => parts.flatMap(({ text }) => text ?? [])),
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
      isTurn,
    };
    requests.push(asked);
    const { text, call, promptTokens = 1_000 } = answer(asked);
    const parts = [...(text === undefined ? [] : [{ text }]), ...(call ? [{ functionCall: call }] : [])];
    const body = JSON.stringify({
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: promptTokens,
        candidatesTokenCount: 5,
        totalTokenCount: promptTokens + 5,
      },
      modelVersion: MODEL,
    });
    response.setHeader('content-type', isTurn ? 'text/event-stream' : 'application/json');
    response.end(isTurn ? `data: ${body}\n\n` : body);
  });
  return { requests, ...(await listen(server)) };
}

/** Where and how Gemini CLI runs: nothing but the model on loopback can be reached. */
export interface Place {
  readonly script: string;
  readonly home: string;
  readonly project: string;
  readonly model: string;
}

function environmentOf({ home, model }: Place): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    GEMINI_API_KEY: 'none',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GOOGLE_GEMINI_BASE_URL: model,
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1',
  };
}

/** One prompt in a session of its own, as `gemini --prompt` does it; answers what was printed. */
export async function promptOnce(place: Place, prompt: string): Promise<string> {
  const args = [place.script, '--yolo', '--model', MODEL, '--prompt', prompt];
  const { stdout } = await run(process.execPath, args, { cwd: place.project, env: environmentOf(place) });
  return stdout;
}

/** A session of several prompts, as an editor leads it over the Agent Client Protocol (JSON-RPC on stdin and stdout). */
export class EditorSession {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: { result?: object; error?: object }) => void>();
  #calls = 0;
  #sessionId: unknown;

  constructor(place: Place) {
    this.#child = spawn(process.execPath, [place.script, '--yolo', '--model', MODEL, '--acp'], {
      cwd: place.project,
      env: environmentOf(place),
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    if (!this.#child.stdout) throw new Error('Gemini CLI has no stdout');
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const { id, method, params, ...answer } = JSON.parse(line);
      if (method === 'session/request_permission') this.#permit(id, params);
      if (method !== undefined) return;
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    });
  }

  async open(cwd: string): Promise<void> {
    await this.#call('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = (await this.#call('session/new', { cwd, mcpServers: [] })) as {
      sessionId: unknown;
    };
    this.#sessionId = sessionId;
  }

  async prompt(text: string): Promise<void> {
    await this.#call('session/prompt', { sessionId: this.#sessionId, prompt: [{ type: 'text', text }] });
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'close');
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    // It runs in a process that it starts itself.
    process.kill(-(this.#child.pid ?? 0), 'SIGTERM');
    await ended;
  }

  /** Allows what the host asks the user for. */
  #permit(
    id: unknown,
    { options }: { readonly options: readonly { readonly optionId: string; readonly kind: string }[] },
  ): void {
    const optionId = options.find(({ kind }) => kind.startsWith('allow'))?.optionId;
    const result = { outcome: { outcome: 'selected', optionId } };
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }

  async #call(method: string, params: object): Promise<object> {
    this.#calls += 1;
    const id = this.#calls;
    const ended = once(this.#child, 'close').then(() => ({ error: { message: 'Gemini CLI has ended' } }));
    const answered = new Promise<{ result?: object; error?: object }>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const { result, error } = (await Promise.race([answered, ended])) as { result?: object; error?: object };
    if (!result) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }
}
