import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
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
  compilerOptions: { strict: true, module: 'nodenext', target: 'es2022', outDir: 'out', skipLibCheck: true },
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

const OWN = `
import {
  createEngine, openAiEmbedder, openAiLanguageModel, openPglite, transformersEmbedder, transformersReranker,
} from '@svc-memory/core';
import { CompactionLifecycle } from '@svc-memory/core/adapter';
import { connect } from '@svc-memory/core/client';
import { type AgentMemory, type Memory, type NewMemory, type Recalled, SvcError } from '@svc-memory/core/contract';
import { startTestEngine } from '@svc-memory/core/testing';
import { describeTools } from '@svc-memory/core/tools';
import { installHooks } from '@svc-memory/hooks';
import { createApp, startServer } from 'svc-memory';

export async function main(): Promise<string | undefined> {
  const asked: number | undefined = process.argv.length > 2 ? 1 : undefined;
  const database = await openPglite('./data', { logger: undefined });
  const engine = createEngine({ database, embedder: undefined, settings: { recallLogDays: asked } });
  const memory: AgentMemory = engine.agent('tenant');
  new CompactionLifecycle(memory, { framework: 'mine' });
  const model = { model: 'small', url: 'http://127.0.0.1:1/v1', timeoutMs: asked, retries: asked };
  openAiEmbedder({ ...model, maxTokens: asked, maxBatch: asked, concurrency: asked });
  openAiLanguageModel(model);
  transformersEmbedder({ model: 'a/b', dtype: undefined, localOnly: undefined });
  transformersReranker({ model: 'a/b', dtype: undefined });
  const remote: AgentMemory = connect({ url: process.env.SVC_API_URL, apiKey: 'svc_', timeoutMs: asked });
  const { results } = await remote.recall({ query: 'tea' });
  return results[0]?.content;
}
export const told = (one: Memory, found: Recalled, next: NewMemory) => [one.version, found.similarity, next.content];
export const remember = (memory: AgentMemory, metadata: Record<string, unknown>) =>
  memory.remember({ type: 'semantic', content: 'Tea.', tags: ['tea'] as const, metadata });
// @ts-expect-error Metadata is an object.
export const refused = (memory: AgentMemory) => memory.recall({ query: 'tea', metadata: 'tea' });
// @ts-expect-error The types are there: a memory is no number.
export const wrong: number = connect({ url: 'http://127.0.0.1:3000', apiKey: 'svc_' });
export const parts = [SvcError, startTestEngine, describeTools, installHooks, createApp, startServer];
`;

/** The oldest versions of its framework that an adapter promises to work with, and what uses all of the adapter. */
const OLDEST = [
  { name: 'ai-sdk', framework: ['ai@6.0.322'], types: AI_SDK },
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
];
/** The newest of all. */
const NEWEST = [
  'ai@7.0.173',
  'langchain@1.5.14',
  '@langchain/core@1.4.0',
  '@langchain/langgraph@1.7.3',
  '@langchain/langgraph-checkpoint@1.2.2',
  '@langchain/langgraph-sdk@1.15.0',
];
const EXTRA = ['zod', 'typescript@5.9.3', '@types/node@20'];

/**
 * Kinds of projects, all strict and with every declaration file checked. Where a framework's own types do not pass, only
 * our packages that do without it are.
 */
const PROJECTS = [
  {
    // It also runs what the adapters' READMEs begin with.
    name: 'ES modules, nodenext',
    type: 'module',
    module: 'nodenext',
    resolution: 'nodenext',
    sources: [OWN, AI_SDK, LANGCHAIN],
    outDir: 'out',
  },
  {
    name: 'ES modules, bundler',
    type: 'module',
    module: 'esnext',
    resolution: 'bundler',
    sources: [OWN, AI_SDK, LANGCHAIN],
  },
  {
    name: 'CommonJS, nodenext',
    type: 'commonjs',
    module: 'nodenext',
    resolution: 'nodenext',
    sources: [OWN, AI_SDK, LANGCHAIN],
  },
  {
    // Options that a program has or has not are passed as they are.
    name: 'ES modules, nodenext, exact optional properties',
    type: 'module',
    module: 'nodenext',
    resolution: 'nodenext',
    sources: [OWN],
    exact: true,
  },
  { name: 'CommonJS, node16', type: 'commonjs', module: 'node16', resolution: 'node16', sources: [OWN] },
  { name: 'CommonJS, node10', type: 'commonjs', module: 'commonjs', resolution: 'node10', sources: [OWN] },
];

let tarballs: string[];
const tarballOf = (workspace: string) => {
  const name = workspace === 'server' ? '' : `${workspace.replace('adapters/', '')}-`;
  return tarballs.find((tarball) => new RegExp(`/svc-memory-${name}[0-9]`).test(tarball)) ?? '';
};

beforeAll(async () => {
  // Other tests pack at the same time.
  const packed = join(await temporaryFolder(), 'dist');
  await mkdir(packed);
  for (const name of ['svc-memory-core-0.0.1.tgz', 'notes.txt'])
    await writeFile(join(packed, name), 'before');
  await run(process.execPath, [join(ROOT, '.ci/pack.mjs'), packed], { cwd: ROOT });
  const names = await readdir(packed);
  // Of what was in the folder only older tarballs are gone.
  expect(names).toContain('notes.txt');
  tarballs = names.filter((name) => name.endsWith('.tgz')).map((name) => join(packed, name));
  expect(tarballs).toHaveLength(PUBLISHED.length);
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

/** The TypeScript that stands whole in a README: it imports all that it uses. */
async function programsOf(readme: string): Promise<string[]> {
  const text = await readFile(join(ROOT, readme), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const whole = blocks.filter((block) => /@svc-memory\/core(\/client)?'/.test(block));
  expect(whole.length).toBeGreaterThan(1);
  return whole;
}

async function install(folder: string, packages: readonly string[]): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...packages, ...EXTRA, ...options], { cwd: folder });
}

/** The example of an adapter's README. */
async function exampleOf(adapter: string): Promise<string> {
  const readme = await readFile(join(ROOT, `adapters/${adapter}/README.md`), 'utf8');
  return /## Two lines\n+```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
}

/** Compiles projects one after the other; answers what the compiler says of each. */
async function compile(folders: readonly string[]): Promise<string[]> {
  const { stdout } = await run(process.execPath, [join(ROOT, 'test/full/compile-projects.mjs'), ...folders]);
  return JSON.parse(stdout);
}

const runCompiled = async (folder: string, name: string) =>
  (await run(process.execPath, [`out/${name}.js`], { cwd: folder })).stdout;

const ANSWER = 'user: Our deploys are frozen on Fridays.';

test.each(OLDEST)(
  '@svc-memory/$name with $framework.0 works in an empty project by its README alone',
  async ({ name, framework, types }) => {
    const folder = await temporaryFolder();
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'empty', private: true, type: 'module' }),
    );
    await install(folder, [tarballOf('core'), tarballOf(name), ...framework]);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
    await writeFile(join(folder, 'types.ts'), types);
    await writeFile(join(folder, 'example.ts'), await exampleOf(name));
    expect(await compile([folder])).toEqual(['']);
    expect(await runCompiled(folder, 'example')).toContain(ANSWER);
  },
);

describe('with the newest frameworks', () => {
  const folders: string[] = [];
  let errors: string[];
  beforeAll(async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
    await install(folder, [...PUBLISHED.map(tarballOf), ...NEWEST]);
    for (const { name, type, module, resolution, sources, outDir, exact = false } of PROJECTS) {
      const project = join(folder, name.replaceAll(/\W+/g, '-'));
      folders.push(project);
      await mkdir(project);
      await writeFile(join(project, 'package.json'), JSON.stringify({ type }));
      const compilerOptions = {
        strict: true,
        module,
        moduleResolution: resolution,
        target: 'es2022',
        ...(outDir === undefined ? { noEmit: true } : { outDir }),
        types: ['node'],
        skipLibCheck: false,
        exactOptionalPropertyTypes: exact,
        // As `tsc --init` writes it; the types of zod ask for it in a CommonJS project.
        esModuleInterop: true,
      };
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      const programs = await Promise.all(['README.md', 'core/README.md'].map(programsOf));
      await Promise.all(
        [...sources, ...(outDir === undefined ? [] : programs.flat())].map((source, index) =>
          writeFile(join(project, `part-${index}.ts`), `${source}\nexport {};\n`),
        ),
      );
      if (outDir === undefined) continue;
      for (const { name } of OLDEST) await writeFile(join(project, `${name}.ts`), await exampleOf(name));
    }
    errors = await compile(folders);
  }, 600_000);

  test.each(PROJECTS.map(({ name }, index) => ({ name, index })))(
    'types of a strict project of kind $name, without skipLibCheck',
    ({ index }) => {
      expect(errors[index]).toBe('');
    },
  );

  test('editors tell what each method of a memory does', () => {
    const entry = join(folders[0] ?? '', '../node_modules/@svc-memory/core/dist/app/contract.d.ts');
    const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true };
    const program = ts.createProgram([entry], options);
    const checker = program.getTypeChecker();
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    const memory = module && checker.tryGetMemberInModuleExports('AgentMemory', module);
    const methods = memory ? checker.getDeclaredTypeOfSymbol(memory).getProperties() : [];
    expect(methods.length).toBeGreaterThan(80);
    const untold = methods.filter((method) => method.getDocumentationComment(checker).length === 0);
    expect(untold.map(({ name }) => name)).toEqual([]);
  });

  test.each(OLDEST)('@svc-memory/$name works by its README', async ({ name }) => {
    expect(await runCompiled(folders[0] ?? '', name)).toContain(ANSWER);
  });
});
