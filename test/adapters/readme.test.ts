import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { expect, test } from 'vitest';
import { cleanUp, ROOT, temporaryFolder } from '../kit/process.ts';

cleanUp();

const run = promisify(execFile);

/** Runs the first block of TypeScript behind a heading, as a program of its own. */
async function runSnippet(file: string, heading: string) {
  const readme = await readFile(join(ROOT, file), 'utf8');
  const code = new RegExp(`\\n## ${heading}\\n.*?\`\`\`ts\\n(.*?)\`\`\``, 's').exec(readme)?.[1] ?? '';
  const { outputText } = transpileModule(code, {
    compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 },
  });
  const folder = await temporaryFolder();
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return run(process.execPath, ['--input-type=module', '-e', outputText], { cwd: folder });
}

test('the files of the README of core are made and shown as printed', async () => {
  const { stdout, stderr } = await runSnippet('core/README.md', 'Memory as files');
  expect(stdout).toBe(
    "File created successfully at: /memories/deploys.md\nHere's the content of /memories/deploys.md with line numbers:\n     1\tFrozen on Fridays.\n     2\t\n",
  );
  expect(stderr).toBe('');
}, 120_000);

test('the users of the README of core see what is theirs', async () => {
  const { stdout, stderr } = await runSnippet('core/README.md', 'One agent, many users');
  expect(stdout).toBe("[ 'u1: Ada comes by bicycle.', 'own: The desk opens at nine.' ]\n1\n1 64\n");
  expect(stderr).toBe('');
}, 120_000);

test.each([
  ['ai-sdk', 1],
  ['langchain', 2],
])(
  'the example of the README of %s runs as printed and remembers',
  async (adapter, injections) => {
    const { stdout, stderr } = await runSnippet(`adapters/${adapter}/README.md`, 'Two lines');
    expect(stdout.match(/^# MEMORY INJECTION/gm)).toHaveLength(injections);
    expect(stdout).toContain('user: Our deploys are frozen on Fridays.');
    expect(stderr).toBe('');
  },
  120_000,
);
