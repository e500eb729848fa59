import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { cleanUp, ROOT, temporaryFolder } from '../kit/process.ts';

cleanUp();

const run = promisify(execFile);
const FRAMEWORKS = [
  'ai@7.0.173',
  'langchain@1.5.14',
  '@langchain/core@1.2.13',
  '@langchain/langgraph@1.4.18',
  '@langchain/langgraph-checkpoint@1.1.5',
  '@langchain/langgraph-sdk@1.12.0',
];
const OWN = `
import { createEngine, openPglite } from '@svc-memory/core';
import { CompactionLifecycle } from '@svc-memory/core/adapter';
import { connect } from '@svc-memory/core/client';
import { type AgentMemory, SvcError } from '@svc-memory/core/contract';
import { startTestEngine } from '@svc-memory/core/testing';
import { describeTools } from '@svc-memory/core/tools';
import { installHooks } from '@svc-memory/hooks';
import { createApp, startServer } from 'svc-memory';

export async function main(): Promise<string | undefined> {
  const engine = createEngine({ database: await openPglite('./data') });
  const memory: AgentMemory = engine.agent('tenant');
  new CompactionLifecycle(memory, { framework: 'mine' });
  const remote: AgentMemory = connect({ url: 'http://127.0.0.1:3000', apiKey: 'svc_' });
  const { results } = await remote.recall({ query: 'tea' });
  return results[0]?.content;
}
// @ts-expect-error The types are there: a memory is no number.
export const wrong: number = connect({ url: 'http://127.0.0.1:3000', apiKey: 'svc_' });
export const parts = [SvcError, startTestEngine, describeTools, installHooks, createApp, startServer];
`;
const AI_SDK = `
import { connect } from '@svc-memory/core/client';
import { compactMessages, memoryMiddleware, memoryTools } from '@svc-memory/ai-sdk';
import { generateText, type LanguageModel, type LanguageModelMiddleware, stepCountIs } from 'ai';

const memory = connect({ url: 'http://127.0.0.1:3000', apiKey: 'svc_' });
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
const LANGCHAIN = `
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { connect } from '@svc-memory/core/client';
import { AgentMemoryRetriever, AgentMemoryStore, agentMemoryMiddleware, memoryTools } from '@svc-memory/langchain';
import { createAgent } from 'langchain';

const memory = connect({ url: 'http://127.0.0.1:3000', apiKey: 'svc_' });
export const agentOf = (model: BaseChatModel) =>
  createAgent({
    model,
    tools: [...memoryTools(memory)],
    store: new AgentMemoryStore({ memory }),
    middleware: [agentMemoryMiddleware({ memory })],
  });
export const retriever = new AgentMemoryRetriever({ memory });
`;

/**
 * Kinds of projects, all strict and with every declaration file checked. Where a framework's own types do not pass, only
 * our packages that do without it are.
 */
const PROJECTS = [
  {
    name: 'ES modules, nodenext',
    type: 'module',
    module: 'nodenext',
    resolution: 'nodenext',
    sources: [OWN, AI_SDK, LANGCHAIN],
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
  { name: 'CommonJS, node16', type: 'commonjs', module: 'node16', resolution: 'node16', sources: [OWN] },
  { name: 'CommonJS, node10', type: 'commonjs', module: 'commonjs', resolution: 'node10', sources: [OWN] },
];

let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  // Other tests pack at the same time.
  const packed = join(await temporaryFolder(), 'dist');
  await run(process.execPath, [join(ROOT, '.ci/pack.mjs'), packed], { cwd: ROOT });
  const { workspaces }: { workspaces: string[] } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  const tarballs = workspaces.map((workspace) => {
    const { name, version } = JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'));
    return join(packed, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  });
  const extra = ['typescript@5.9.3', '@types/node@20'];
  await run(
    'npm',
    ['install', ...tarballs, ...FRAMEWORKS, ...extra, '--no-audit', '--no-fund', '--prefer-offline'],
    { cwd: folder },
  );
}, 600_000);

test.each(PROJECTS)(
  'types of a strict project of kind $name, without skipLibCheck',
  async ({ name, type, module, resolution, sources }) => {
    const project = join(folder, name.replaceAll(/\W+/g, '-'));
    await mkdir(project);
    await writeFile(join(project, 'package.json'), JSON.stringify({ type }));
    const compilerOptions = {
      strict: true,
      module,
      moduleResolution: resolution,
      target: 'es2022',
      noEmit: true,
      types: ['node'],
      skipLibCheck: false,
      // As `tsc --init` writes it; the types of zod ask for it in a CommonJS project.
      esModuleInterop: true,
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    await Promise.all(sources.map((source, index) => writeFile(join(project, `part-${index}.ts`), source)));
    const tsc = join(folder, 'node_modules/typescript/bin/tsc');
    const errors = await run(process.execPath, [tsc, '-p', project], { cwd: project }).then(
      () => '',
      ({ stdout }) => stdout,
    );
    expect(errors).toBe('');
  },
  300_000,
);
