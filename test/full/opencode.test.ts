import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AgentMemory } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import { installHooks, uninstallHooks } from '@svc-memory/hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp, preparedFolder, startProcess } from '../kit/process.ts';

cleanUp();

const run = promisify(execFile);
const PACKAGE = 'opencode-ai@1.18.33';
const CONTEXT = 20_000;
const SOUL = 'I keep every promise I gave.';

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[];
}

const textOf = ({ content }: Message) =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');

/** The conversations that the model was given, oldest first. */
const asked: (readonly Message[])[] = [];
/** Tokens that the model says the next request had: by these the host decides whether to compact. */
let promptTokens = 1_000;

/** A model server on loopback that speaks the Chat Completions API and counts its answers. */
const model = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { messages } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const isConversation = textOf(messages[0]).startsWith('You are opencode');
  if (isConversation) asked.push(messages);
  const used = isConversation ? promptTokens : 1_000;
  if (isConversation) promptTokens = 1_000;
  const usage = { prompt_tokens: used, completion_tokens: 5, total_tokens: used + 5 };
  const chunk = (choice: object, more = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }], ...more })}\n\n`;
  response.setHeader('content-type', 'text/event-stream');
  response.write(chunk({ delta: { role: 'assistant', content: `Answer ${asked.length}.` } }));
  response.write(chunk({ delta: {}, finish_reason: 'stop' }, { usage }));
  response.end('data: [DONE]\n\n');
});

let folder: string;
let project: string;
let memory: AgentMemory;

beforeAll(async () => {
  folder = await preparedFolder();
  project = join(folder, 'project');
  await mkdir(join(folder, 'home'));
  await mkdir(project);
  const service = startProcess(folder);
  await service.ready;
  const { url, key } = await service.credentials();
  memory = connect({ url, apiKey: key });
  await memory.remember({ type: 'core', category: 'soul', content: SOUL });
  model.listen(0, '127.0.0.1');
  await once(model, 'listening');
  const { port } = model.address() as AddressInfo;
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'local',
    options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'none' },
    models: { m: { name: 'm', limit: { context: CONTEXT, output: 1_000 } } },
  };
  const config = {
    autoupdate: false,
    share: 'disabled',
    model: 'local/m',
    small_model: 'local/m',
    provider: { local: provider },
  };
  await writeFile(join(project, 'opencode.json'), JSON.stringify(config));
  // The host looks for packages of its own at each start, and would wait for a network that is not there.
  for (const place of [join(folder, 'home'), project])
    await writeFile(join(place, '.npmrc'), 'fetch-retries=0\nfetch-timeout=500\n');
  await run(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', folder, PACKAGE],
    {
      cwd: folder,
    },
  );
}, 600_000);
afterAll(() => {
  model.close();
  model.closeAllConnections();
});

const place = () => ({
  userHome: join(folder, 'home'),
  project,
  env: {},
  credentials: join(folder, '.svc/credentials.json'),
  platform: process.platform,
});

/** Says something in a new session or the last one; answers what the model was given last. */
async function say(prompt: string, { goOn = true } = {}): Promise<readonly string[]> {
  const args = ['run', ...(goOn ? ['--continue'] : []), prompt];
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, 'home'),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    npm_config_fetch_retries: '0',
  };
  // Where it hangs, the error tells what it has written.
  const options = { cwd: project, env, timeout: 200_000 };
  const running = run(join(folder, 'node_modules/.bin/opencode'), args, options);
  running.child.stdin?.end();
  await running;
  return asked.at(-1)?.map(textOf) ?? [];
}

const titlesIn = (texts: readonly string[]) =>
  [...texts.join('\n').matchAll(/^# (MEMORY [A-Z]+)/gm)].map(([, title]) => title);

test('OpenCode has its memory in each call, keeps what is said, and recovers from a compaction', async () => {
  installHooks('opencode', place());
  const first = await say('Hello, I am Ada. The harbour gate code is 4711.', { goOn: false });
  expect(titlesIn(first)).toEqual(['MEMORY INJECTION']);
  expect(first.join('\n')).toContain(SOUL);

  // The host makes a summary of a conversation that is too long, and goes on by itself.
  promptTokens = CONTEXT - 500;
  const second = await say('Tell me of the sea.');
  expect(titlesIn(second)).toEqual(['MEMORY RECOVERY']);
  expect(second.slice(2).join('\n')).not.toContain('4711');
  expect(second[1]).toContain('The harbour gate code is 4711.');

  await memory.remember({ type: 'semantic', content: 'The lamp of the lighthouse is blue.' });
  const third = await say('Which colour has the lamp of the lighthouse?', { goOn: false });
  expect(third.join('\n')).toContain('The lamp of the lighthouse is blue.');

  const { memories } = await memory.query({ type: 'episodic', limit: 100 });
  const turns = memories.map(({ content }) => content.replaceAll('"', '')).reverse();
  expect(turns).toEqual([
    'user: Hello, I am Ada. The harbour gate code is 4711.',
    'assistant: Answer 1.',
    'user: Tell me of the sea.',
    'assistant: Answer 2.',
    'assistant: Answer 3.',
    'user: Which colour has the lamp of the lighthouse?',
    'assistant: Answer 4.',
  ]);
  const kinds = (await memory.compactions({})).moments.map(({ kind }) => kind).reverse();
  expect(kinds.filter((kind) => kind !== 'flush')).toEqual([
    'boot',
    'boot',
    'compaction',
    'recovery',
    'boot',
  ]);

  uninstallHooks('opencode', place());
  expect(titlesIn(await say('Hello again.', { goOn: false }))).toEqual([]);
  // Patience with a busy machine, on which the host takes minutes for what it else does in seconds.
}, 900_000);
