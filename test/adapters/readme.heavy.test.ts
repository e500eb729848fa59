import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, openPglite } from '@svc-memory/core';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { cleanUp, ROOT, temporaryFolder } from '../kit/process.ts';
import { runInTurn } from '../kit/programs.ts';

cleanUp();

/** The headings behind which the first block of TypeScript is run. */
const SNIPPETS = [
  ['core/README.md', 'Memory as files'],
  ['core/README.md', 'One agent, many users'],
  ['adapters/ai-sdk/README.md', 'Two lines'],
  ['adapters/langchain/README.md', 'Two lines'],
  ['core/README.md', 'Plugins'],
] as const;

/** Those that keep what they store in a folder. */
const KEEPING = [
  ['README.md', 'The same from TypeScript'],
  ['core/README.md', 'In this process'],
  ['adapters/ai-sdk/README.md', 'Two lines'],
  ['adapters/langchain/README.md', 'Two lines'],
] as const;

let outputs: string[];
beforeAll(async () => {
  const folder = await temporaryFolder();
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const programs = SNIPPETS.map(async ([readme, heading], place) => {
    const file = join(folder, `snippet-${place}.mjs`);
    await writeFile(file, await snippetOf(readme, heading));
    return { file };
  });
  outputs = await runInTurn(await Promise.all(programs), { cwd: folder });
});

async function snippetOf(readme: string, heading: string, holding = ''): Promise<string> {
  const text = await readFile(join(ROOT, readme), 'utf8');
  const section = new RegExp(`\\n## ${heading}\\n(.*?)(?=\\n## |$)`, 's').exec(text)?.[1] ?? '';
  const blocks = [...section.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
  const code = blocks.find((block) => block.includes(holding)) ?? '';
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
  return transpileModule(code, { compilerOptions }).outputText;
}

test('the files of the README of core are made and shown as printed', () => {
  expect(outputs[0]).toBe(
    "File created successfully at: /memories/deploys.md\nHere's the content of /memories/deploys.md with line numbers:\n     1\tFrozen on Fridays.\n     2\t\n",
  );
});

test('the users of the README of core see what is theirs', () => {
  expect(outputs[1]).toBe("[ 'u1: Ada comes by bicycle.', 'own: The desk opens at nine.' ]\n1\n1 64\n");
});

test('the plugin of the README of core changes a memory, and hears of it', () => {
  expect(outputs[4]).toBe("memory.stored [ 'memory_id', 'type', 'version', 'outcome' ]\n[ 'team' ]\n");
});

test.each([
  ['ai-sdk', 2, 1],
  ['langchain', 3, 2],
])('the example of the README of %s runs as printed and remembers', (_adapter, place, injections) => {
  expect(outputs[place]?.match(/^# MEMORY INJECTION/gm)).toHaveLength(injections);
  expect(outputs[place]).toContain('user: Our deploys are frozen on Fridays.');
});

test.each(KEEPING)('in %s, "%s" is the same agent when it is run again', async (readme, heading) => {
  const folder = await temporaryFolder();
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const code = await snippetOf(readme, heading, "openPglite('./agent-data')");
  const files = ['first.mjs', 'again.mjs'].map((name) => join(folder, name));
  for (const file of files) await writeFile(file, code);
  await runInTurn(
    files.map((file) => ({ file })),
    { cwd: folder },
  );
  const engine = createEngine({ database: await openPglite(join(folder, 'agent-data')) });
  expect((await engine.tenants.list()).map(({ displayName }) => displayName)).toEqual(['Ada']);
  await engine.close();
});
