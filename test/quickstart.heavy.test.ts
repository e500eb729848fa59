import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from './kit/api.ts';
import { cleanUp, preparedFolder, ROOT, startProcess } from './kit/process.ts';
import { runInTurn } from './kit/programs.ts';
import { clientOf } from './kit/writers.ts';

cleanUp();

/** A fenced block of the README. */
interface Snippet {
  readonly heading: string;
  readonly language: string;
  readonly code: string;
}

async function readSnippets(): Promise<Snippet[]> {
  const text = await readFile(join(ROOT, 'README.md'), 'utf8');
  const sections = text.split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const heading = section.split('\n', 1)[0] ?? '';
    const blocks = section.matchAll(/^```(\w+)[^\n]*\n(.*?)^```$/gms);
    return [...blocks].map(([, language = '', code = '']) => ({ heading, language, code }));
  });
}

const INSTALL_AND_START = /^(npm ci|npm start|npm ci && npm start)$/;

let folder: string;
let api: Api;
let environment: Record<string, string>;
let snippets: Snippet[];
let output: string;

/** Runs a program in the folder of the service; fails with what it wrote. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  expect([code, err], out).toEqual([0, '']);
  return out;
}

beforeAll(async () => {
  snippets = await readSnippets();
  folder = await preparedFolder();
  // Like a clone: packages of the project resolve from here.
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  environment = {};
  const service = startProcess(folder);
  await service.ready;
  const credentials = await service.credentials();
  api = clientOf(credentials);
  const shell = snippets
    .filter(({ heading, language }) => heading === 'Quickstart' && language === 'sh')
    .flatMap(({ code }) => code.split('\n'))
    .filter((line) => !INSTALL_AND_START.test(line.trim()));
  output = await run('bash', ['-c', ['set -euo pipefail', ...shell].join('\n')]);
  environment = { SVC_API_URL: credentials.url, SVC_API_KEY: credentials.key };
}, 120_000);

/** The JSON answers that the commands printed, one after the other. */
function answers(): Record<string, unknown>[] {
  return output
    .replaceAll(/\}\s*(?=\{"success")/g, '}\n')
    .split('\n')
    .filter((line) => line.startsWith('{"success"'))
    .map((line) => JSON.parse(line));
}

describe('The quickstart of the README, followed literally', () => {
  it('begins with installing and starting', () => {
    const [first] = snippets.filter(({ heading }) => heading === 'Quickstart');
    expect(first?.code.trim()).toBe('npm ci && npm start');
  });

  it('every call succeeds', () => {
    expect(answers().length).toBeGreaterThanOrEqual(4);
    for (const answer of answers()) expect(answer).toMatchObject({ success: true });
  });

  it('ends with a memory stored, recalled, and present in the injection after a simulated compaction', async () => {
    type Stored = { memory: { content: string; type: string } };
    type Recalled = { results: { content: string }[] };
    type Injected = { injection: string; metadata: { is_post_compaction: boolean } };
    const stored = answers().flatMap((answer) =>
      'memory' in answer ? (answer as unknown as Stored).memory : [],
    );
    const recalled = answers().flatMap((answer) =>
      'results' in answer ? (answer as unknown as Recalled).results : [],
    );
    const injected = answers().filter((answer) => 'injection' in answer) as unknown as Injected[];
    const identity = stored.find(({ type }) => type === 'core');
    const fact = stored.find(({ content }) => recalled.some((result) => result.content === content));
    expect(identity).toBeDefined();
    expect(fact, 'a stored memory must be among the recalled').toBeDefined();
    const recovery = injected.find(({ metadata }) => metadata?.is_post_compaction)?.injection ?? '';
    const boot = (await api.get<'boot'>('/memories/boot')).body.injection;
    for (const text of [recovery, boot]) {
      expect(text).toContain(identity?.content);
      expect(text).toContain(fact?.content);
    }
    expect(recovery).toMatch(/^# .*recover/i);
  });
});

describe('The TypeScript of the README', () => {
  it('runs as printed', async () => {
    const blocks = snippets.filter(({ language }) => language === 'ts');
    expect(blocks.length).toBeGreaterThan(0);
    const programs = blocks.map(async ({ code }, place) => {
      const file = join(folder, `block-${place}.mjs`);
      const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
      await writeFile(file, transpileModule(code, { compilerOptions }).outputText);
      return { file, env: environment };
    });
    const outputs = await runInTurn(await Promise.all(programs), { cwd: folder });
    expect(outputs).toHaveLength(blocks.length);
  }, 120_000);
});
