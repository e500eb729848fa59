import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanUp, ROOT, temporaryFolder } from '../kit/process.ts';

cleanUp();

const run = promisify(execFile);
const SETTINGS = {
  compilerOptions: { strict: true, module: 'nodenext', target: 'es2022', noEmit: true, skipLibCheck: true },
};
const LOOP = `
import { compactMessages, memoryMiddleware, memoryTools } from '@svc-memory/ai-sdk';
import { connect } from '@svc-memory/core/client';
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

let packed: string;
let tarballs: string[];

beforeAll(async () => {
  packed = await temporaryFolder();
  const workspaces = ['-w', 'core', '-w', 'adapters/ai-sdk'];
  await run('npm', ['pack', ...workspaces, '--ignore-scripts', '--pack-destination', packed], { cwd: ROOT });
  tarballs = (await readdir(packed)).map((name) => join(packed, name));
});

describe('the packed @svc-memory/ai-sdk', () => {
  const own = () => tarballs.find((name) => name.includes('ai-sdk')) ?? '';
  const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);

  test('has nothing for publint to say', async () => {
    const { stdout } = await run(bin('publint'), [own(), '--strict']);
    expect(stdout).toContain('All good!');
  });

  test('resolves with its types from ESM and bundlers', async () => {
    const { stdout } = await run(bin('attw'), [own(), '--profile', 'esm-only', '--format', 'json']);
    const { problems } = JSON.parse(stdout);
    const ignored = ['node10', 'node16-cjs'];
    const relevant = Object.values(problems).flat() as { resolutionKind?: string }[];
    expect(relevant.filter(({ resolutionKind = '' }) => !ignored.includes(resolutionKind))).toEqual([]);
  });

  test.each(['6.0.322', '7.0.173'])(
    'works in an empty project with ai %s by its README alone',
    async (version) => {
      const folder = await temporaryFolder();
      const readme = await readFile(join(ROOT, 'adapters/ai-sdk/README.md'), 'utf8');
      const example = /## Two lines\n+```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
      await writeFile(
        join(folder, 'package.json'),
        JSON.stringify({ name: 'empty', private: true, type: 'module' }),
      );
      const extra = ['zod', 'typescript@5.9.3', '@types/node@20'];
      await run('npm', ['install', ...tarballs, `ai@${version}`, ...extra, '--no-audit', '--no-fund'], {
        cwd: folder,
      });
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
      await writeFile(join(folder, 'example.ts'), example);
      await writeFile(join(folder, 'loop.ts'), LOOP);
      await run(process.execPath, ['node_modules/typescript/bin/tsc'], { cwd: folder }).catch((error) => {
        throw new Error(error.stdout);
      });
      const flags = ['--noEmit', 'false', '--outDir', 'out'];
      await run(process.execPath, ['node_modules/typescript/bin/tsc', ...flags], { cwd: folder });
      const { stdout } = await run(process.execPath, ['out/example.js'], { cwd: folder });
      expect(stdout).toContain('user: Our deploys are frozen on Fridays.');
    },
  );
});
