import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanUp, ROOT, temporaryFolder } from '../kit/process.ts';

cleanUp();

const run = promisify(execFile);
const { workspaces: PUBLISHED }: { workspaces: string[] } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);
/** Nothing but files: no entry to import. */
const WITHOUT_ENTRY = ['dashboard'];
const SETTINGS = {
  compilerOptions: { strict: true, module: 'nodenext', target: 'es2022', noEmit: true, skipLibCheck: true },
};
const CONNECTED = `
import { connect } from '@svc-memory/core/client';

const memory = connect({ url: 'http://127.0.0.1:3000', apiKey: 'svc_' });`;
const AI_SDK = `${CONNECTED}
import { compactMessages, memoryMiddleware, memoryTools } from '@svc-memory/ai-sdk';
import { generateText, type LanguageModel, type LanguageModelMiddleware, stepCountIs } from 'ai';

export const middleware: LanguageModelMiddleware = memoryMiddleware({ memory });
export const loop = (model: LanguageModel) =>
  generateText({
    model,
    prompt: 'Hi.',
    tools: memoryTools(memory),
    stopWhen: stepCountIs(5),
    prepareStep: async ({ messages }) => ({
      messages: await compactMessages(messages, { memory, maxTokens: 10_000 }),
    }),
  });
`;
const LANGCHAIN = `${CONNECTED}
import { AgentMemoryChatHistory, AgentMemoryRetriever, AgentMemoryStore, agentMemoryMiddleware, memoryTools } from '@svc-memory/langchain';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent, summarizationMiddleware } from 'langchain';
import { z } from 'zod';

const look = tool(({ note }) => note, { name: 'look', description: 'Looks.', schema: z.object({ note: z.string() }) });
export const agentOf = (model: BaseChatModel) =>
  createAgent({
    model,
    tools: [...memoryTools(memory), look],
    checkpointer: new MemorySaver(),
    store: new AgentMemoryStore({ memory }),
    middleware: [
      agentMemoryMiddleware({ memory }),
      summarizationMiddleware({ model, trigger: { tokens: 100_000 }, keep: { messages: 20 } }),
    ],
  });
export const parts = [new AgentMemoryRetriever({ memory }), new AgentMemoryChatHistory({ memory, sessionId: 's' })];
`;

/** An adapter with the oldest and the newest version of its framework that it promises to work with. */
const ADAPTERS = [
  { name: 'ai-sdk', framework: ['ai@6.0.322'], types: AI_SDK },
  { name: 'ai-sdk', framework: ['ai@7.0.173'], types: AI_SDK },
  {
    name: 'langchain',
    framework: [
      'langchain@1.2.20',
      '@langchain/core@1.1.21',
      '@langchain/langgraph@1.1.2',
      '@langchain/langgraph-checkpoint@1.0.0',
    ],
    types: LANGCHAIN,
  },
  {
    name: 'langchain',
    framework: [
      'langchain@1.5.14',
      '@langchain/core@1.2.13',
      '@langchain/langgraph@1.4.18',
      '@langchain/langgraph-checkpoint@1.1.5',
      '@langchain/langgraph-sdk@1.12.0',
    ],
    types: LANGCHAIN,
  },
];

let tarballs: string[];
const tarballOf = (workspace: string) => {
  const name = workspace === 'server' ? '' : `${workspace.replace('adapters/', '')}-`;
  return tarballs.find((tarball) => new RegExp(`/svc-memory-${name}[0-9]`).test(tarball)) ?? '';
};

beforeAll(async () => {
  // Other tests pack at the same time.
  const packed = join(await temporaryFolder(), 'dist');
  await run(process.execPath, [join(ROOT, '.ci/pack.mjs'), packed], { cwd: ROOT });
  tarballs = (await readdir(packed)).map((name) => join(packed, name));
});

describe.each(PUBLISHED)('the packed %s', (workspace) => {
  const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);

  test('tells its licence and where it comes from, and is installed by copying files alone', async () => {
    const { stdout: files } = await run('tar', ['-tzf', tarballOf(workspace)]);
    expect(files.split('\n')).toEqual(expect.arrayContaining(['package/LICENSE', 'package/README.md']));
    // Stack traces of the bundled service name its sources by maps.
    expect(files.replace(/^package\/bundle\/.*\.map$/gm, '')).not.toMatch(/\.(map|tsbuildinfo|test\.js)$/m);
    const { stdout } = await run('tar', ['-xzOf', tarballOf(workspace), 'package/package.json']);
    const manifest = JSON.parse(stdout);
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      repository: { type: 'git', directory: workspace },
      keywords: expect.arrayContaining(['memory']),
    });
    expect(manifest).not.toHaveProperty('scripts');
    const { dependencies = {}, peerDependencies = {} } = manifest;
    for (const range of Object.values({ ...dependencies, ...peerDependencies })) {
      expect(range).not.toMatch(/^(file:|link:|workspace:|\*$)/);
    }
  });

  test('has nothing for publint to say', async () => {
    const { stdout } = await run(bin('publint'), [tarballOf(workspace), '--strict']);
    expect(stdout).toContain('All good!');
  });

  test.skipIf(WITHOUT_ENTRY.includes(workspace))('resolves with its types in every way', async () => {
    const { stdout } = await run(
      bin('attw'),
      [tarballOf(workspace), '--exclude-entrypoints', 'package.json', '--format', 'json'],
      { maxBuffer: 64 * 1_024 * 1_024 },
    );
    const { problems } = JSON.parse(stdout);
    expect(Object.values(problems).flat()).toEqual([]);
  });
});

describe.each(ADAPTERS)('@svc-memory/$name with $framework.0', ({ name, framework, types }) => {
  test('works in an empty project by its README alone', async () => {
    const folder = await temporaryFolder();
    const readme = await readFile(join(ROOT, `adapters/${name}/README.md`), 'utf8');
    const example = /## Two lines\n+```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'empty', private: true, type: 'module' }),
    );
    const own = [tarballOf('core'), tarballOf(name)];
    const extra = ['zod', 'typescript@5.9.3', '@types/node@20'];
    await run(
      'npm',
      ['install', ...own, ...framework, ...extra, '--no-audit', '--no-fund', '--prefer-offline'],
      { cwd: folder },
    );
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
    await writeFile(join(folder, 'example.ts'), example);
    await writeFile(join(folder, 'types.ts'), types);
    const tsc = [join(folder, 'node_modules/typescript/bin/tsc'), '--noEmit', 'false', '--outDir', 'out'];
    await run(process.execPath, tsc, { cwd: folder }).catch((error) => {
      throw new Error(error.stdout);
    });
    const { stdout } = await run(process.execPath, ['out/example.js'], { cwd: folder });
    expect(stdout).toContain('user: Our deploys are frozen on Fridays.');
  });
});
