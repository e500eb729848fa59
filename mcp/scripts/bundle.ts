import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { licensesOf } from './licenses.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

const COMMON = {
  absWorkingDir: PACKAGE,
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  conditions: ['source'],
  legalComments: 'none',
  logLevel: 'warning',
  // Some of the bundled packages are CommonJS and ask for Node's own modules at run time.
  banner: {
    js: "import { createRequire as svcRequire } from 'node:module'; const require = svcRequire(import.meta.url);",
  },
} as const satisfies BuildOptions;

/**
 * Bundles the stdio server from its sources: one file to read at a cold start, in place of some hundred, and nothing to
 * install. What is needed later stays in files of its own.
 *
 * @param outdir Emptied first. Default: where `bin/svc-mcp.js` looks.
 */
export async function bundle(outdir = join(PACKAGE, 'bundle')): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  await bundleEntry('src/main.ts', { outdir, target: 'node18.0' });
}

/** Bundles what the service answers MCP with, so that it needs nothing of the SDK but this; core is the service's own. */
async function bundleForService(outdir: string): Promise<void> {
  await bundleEntry('src/index.ts', { outdir, target: 'node20', external: ['@svc-memory/core', 'zod'] });
}

type EntryOptions = Pick<BuildOptions, 'external' | 'target'> & { readonly outdir: string };

async function bundleEntry(entry: string, options: EntryOptions): Promise<void> {
  const { metafile } = await build({ ...COMMON, entryPoints: [join(PACKAGE, entry)], ...options });
  await writeFile(
    join(options.outdir, 'LICENSES.txt'),
    await licensesOf(PACKAGE, Object.keys(metafile.inputs)),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundle();
  await bundleForService(join(PACKAGE, 'bundle/service'));
}
