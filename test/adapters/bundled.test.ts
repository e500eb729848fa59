import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { cleanUp, ROOT, temporaryFolder } from '../kit/process.ts';

cleanUp();

const run = promisify(execFile);

test.each(['esm', 'cjs'] as const)(
  'an adapter bundled as %s counts tokens without its packages',
  async (format) => {
    const folder = await temporaryFolder();
    const outfile = join(folder, format === 'esm' ? 'bundle.mjs' : 'bundle.cjs');
    await writeFile(
      join(folder, 'program.ts'),
      `import { countTokens } from '${join(ROOT, 'core/src/adapter/index.ts')}';\nconsole.log(countTokens('to be or not to be'));\n`,
    );
    await build({
      entryPoints: [join(folder, 'program.ts')],
      outfile,
      format,
      bundle: true,
      platform: 'node',
      logLevel: 'error',
      nodePaths: [join(ROOT, 'node_modules')],
      logOverride: { 'empty-import-meta': 'silent' },
    });
    const { stdout } = await run(process.execPath, [outfile], {
      cwd: folder,
      env: { PATH: process.env.PATH },
    });
    expect(stdout.trim()).toBe('6');
  },
);

test('the client is bundled for browsers, where no module of Node is', async () => {
  const { errors } = await build({
    entryPoints: [join(ROOT, 'core/src/client/index.ts')],
    bundle: true,
    platform: 'browser',
    write: false,
    logLevel: 'silent',
    nodePaths: [join(ROOT, 'node_modules')],
  });
  expect(errors).toEqual([]);
});
