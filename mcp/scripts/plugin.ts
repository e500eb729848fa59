import { cp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundle } from './bundle.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const HOOKS = fileURLToPath(new URL('../../hooks', import.meta.url));

/**
 * Writes the plugin for Claude Code: hooks, MCP server and a skill in one folder, which can be moved and needs nothing but Node.
 *
 * @param folder Emptied first.
 */
export async function writePlugin(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await cp(join(HOOKS, 'plugin'), folder, { recursive: true });
  await cp(join(PACKAGE, 'bin'), join(folder, 'mcp/bin'), { recursive: true });
  await cp(join(PACKAGE, 'package.json'), join(folder, 'mcp/package.json'));
  await bundle(join(folder, 'mcp/bundle'));
  await build({
    entryPoints: [join(HOOKS, 'src/svc-hook.ts')],
    outdir: join(folder, 'hooks'),
    bundle: true,
    splitting: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['source'],
    logLevel: 'warning',
    // Some of the bundled packages are CommonJS and ask for Node's own modules at run time.
    banner: {
      js: "import { createRequire as svcRequire } from 'node:module'; const require = svcRequire(import.meta.url);",
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('Usage: tsx mcp/scripts/plugin.ts <folder>');
  await writePlugin(resolve(folder));
}
