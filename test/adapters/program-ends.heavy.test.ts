import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cleanUp, ROOT, temporaryFolder } from '../kit/process.ts';
import { listenInTest } from '../kit/use-server.ts';

cleanUp();

const PROGRAM = `
import { connect } from '@svc-memory/core/client';
import { agentMemoryMiddleware } from '@svc-memory/langchain';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { createAgent } from 'langchain';

const memory = connect({ url: process.env.SVC_API_URL, apiKey: 'svc_x' });
const model = new FakeListChatModel({ responses: ['I see.'] });
const options = { memory, timeoutMs: 100, cooldownMs: 100, onWarning: () => {} };
const agent = createAgent({ model, middleware: [agentMemoryMiddleware(options)] });
await agent.invoke({ messages: [{ role: 'user', content: 'Hello.' }] });
process.stdout.write('done');
`;

test('a program that is done ends, also where the memory service takes calls and never answers', async () => {
  const { url } = await listenInTest(createServer(() => {}));
  const folder = await temporaryFolder();
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'program.mjs');
  await writeFile(file, PROGRAM);
  const program = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, SVC_API_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  const [[code], [said]] = await Promise.all([once(program, 'close'), once(program.stdout, 'data')]);
  expect([code, String(said)]).toEqual([0, 'done']);
}, 90_000);
