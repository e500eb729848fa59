import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOOK_SCRIPT } from '@svc-memory/hooks';
import { afterAll } from 'vitest';
import type { TestService } from '../kit/service.ts';

/** What a hook came to. */
export interface Fired {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
  readonly milliseconds: number;
}

/** A machine with a hook installed: a folder of its own, and the service it is told of. */
export interface Machine {
  readonly home: string;
  readonly project: string;
  /** Runs a hook as its host does: a process, JSON on stdin, text on stdout. */
  fire(input: object | string, options?: FireOptions): Promise<Fired>;
  /** The same without waiting for it. */
  start(input: object | string, options?: FireOptions): { child: ChildProcess; fired: Promise<Fired> };
  snapshot(): string | undefined;
  snapshotMode(): number;
}

interface FireOptions {
  readonly framework?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Folder of `SVC.md`, in place of the machine's. */
  readonly home?: string;
  /** Whether the host leaves stdin open. */
  readonly open?: boolean;
}

/** Makes machines, and removes them when the tests of a file are over. */
export function useMachines(): (service?: { url: string; key: string }) => Machine {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return (service) => {
    if (!existsSync(HOOK_SCRIPT)) throw new Error('The hooks are not built: run `npm run build` first.');
    const project = mkdtempSync(join(tmpdir(), 'svc-hooks-'));
    folders.push(project);
    const home = join(project, '.svc');
    const reach = service ? { SVC_API_URL: service.url, SVC_API_KEY: service.key } : {};
    const start: Machine['start'] = (input, options = {}) => {
      const { framework = 'claude-code', env = {}, args = [] } = options;
      const folder = options.home ?? home;
      const began = performance.now();
      const child = spawn(process.execPath, [HOOK_SCRIPT, framework, ...args, '--home', folder], {
        cwd: project,
        env: { PATH: process.env.PATH ?? '', HOME: project, ...reach, ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const written = { out: '', err: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        written.out += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        written.err += text;
      });
      child.stdin.on('error', () => {});
      child.stdin.write(typeof input === 'string' ? input : JSON.stringify(input));
      if (!options.open) child.stdin.end();
      const fired = once(child, 'close').then(([code, signal]) => ({
        code: code ?? signal,
        ...written,
        milliseconds: performance.now() - began,
      }));
      return { child, fired };
    };
    const file = join(home, 'SVC.md');
    return {
      home,
      project,
      start,
      fire: (input, options) => start(input, options).fired,
      snapshot: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
      snapshotMode: () => statSync(file).mode & 0o777,
    };
  };
}

/** Has a service load what its first answers need: a hook waits less long for them than a busy machine takes. */
export async function warmUp({ signUp }: TestService): Promise<void> {
  const api = await signUp();
  await api.post('/memories', { type: 'semantic', content: 'Deploys are frozen on Fridays.' });
  await api.post('/memories/recall', { query: 'When are deploys frozen?' });
  await api.get('/memories/boot');
  await api.post('/webhooks/compaction', {
    session_id: 'warm',
    transcript: [{ role: 'user', content: 'Deploy to staging.' }],
  });
}

type ClaudeCodeEvent =
  | 'SessionStart'
  | 'UserPromptSubmit'
  | 'PreCompact'
  | 'PostCompact'
  | 'Stop'
  | 'SessionEnd';

/** A transcript as Claude Code writes it, line by line. */
export class Transcript {
  readonly path: string;
  readonly sessionId: string;
  #lines = 0;

  constructor(folder: string, sessionId: string) {
    this.path = join(folder, `${sessionId}.jsonl`);
    this.sessionId = sessionId;
  }

  user(content: unknown, more: object = {}): this {
    return this.#append({ type: 'user', message: { role: 'user', content }, ...more });
  }

  assistant(...blocks: readonly (string | object)[]): this {
    const content = blocks.map((block) =>
      typeof block === 'string' ? { type: 'text', text: block } : block,
    );
    return this.#append({
      type: 'assistant',
      message: { id: `msg_${this.#lines}`, type: 'message', role: 'assistant', model: 'claude', content },
      requestId: `req_${this.#lines}`,
    });
  }

  /** A tool call and its result. */
  tool(name: string, input: object, result: string): this {
    const id = `toolu_${this.#lines}`;
    this.assistant({ type: 'tool_use', id, name, input });
    return this.user([{ tool_use_id: id, type: 'tool_result', content: result }], { toolUseResult: result });
  }

  /** Bytes as they are. */
  raw(text: string): this {
    appendFileSync(this.path, text);
    return this;
  }

  /** What Claude Code passes to a hook. */
  hook(event: ClaudeCodeEvent, more: object = {}) {
    return {
      session_id: this.sessionId,
      transcript_path: this.path,
      cwd: '/home/someone/project',
      permission_mode: 'default',
      hook_event_name: event,
      ...more,
    };
  }

  #append(entry: object): this {
    this.#lines += 1;
    const line = {
      parentUuid: this.#lines === 1 ? null : uuid(this.#lines - 1),
      isSidechain: false,
      userType: 'external',
      cwd: '/home/someone/project',
      sessionId: this.sessionId,
      version: '2.1.0',
      gitBranch: 'main',
      uuid: uuid(this.#lines),
      timestamp: new Date(Date.UTC(2026, 1, 1, 9, 0, this.#lines)).toISOString(),
      ...entry,
    };
    return this.raw(`${JSON.stringify(line)}\n`);
  }
}

function uuid(number: number): string {
  return `0197a8f2-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}
