import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { expect, test } from 'vitest';
import { cleanUp, ROOT, temporaryFolder } from '../kit/process.ts';

cleanUp();

test.each([
  ['ai-sdk', 1],
  ['langchain', 2],
])(
  'the example of the README of %s runs as printed and remembers',
  async (adapter, injections) => {
    const readme = await readFile(join(ROOT, `adapters/${adapter}/README.md`), 'utf8');
    const code = /## Two lines\n+```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
    const { outputText } = transpileModule(code, {
      compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 },
    });
    const folder = await temporaryFolder();
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', outputText],
      { cwd: folder },
    );
    expect(stdout.match(/^# MEMORY INJECTION/gm)).toHaveLength(injections);
    expect(stdout).toContain('user: Our deploys are frozen on Fridays.');
    expect(stderr).toBe('');
  },
  120_000,
);
