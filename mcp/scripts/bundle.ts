import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

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
  await writeFile(join(options.outdir, 'LICENSES.txt'), await licensesOf(Object.keys(metafile.inputs)));
}

/** The licence texts of the packages that files come from, as their licences ask. */
async function licensesOf(files: readonly string[]): Promise<string> {
  const folders = new Set(
    files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
  );
  const texts = await Promise.all(
    [...folders].sort().map(async (folder) => {
      const path = resolve(PACKAGE, folder);
      const name = (await readdir(path)).find((entry) => /^licen[cs]e/i.test(entry));
      const { name: pkg, version, license } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
      const text = name === undefined ? String(license) : await readFile(join(path, name), 'utf8');
      return `${pkg} ${version}\n\n${text.trim()}\n`;
    }),
  );
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundle();
  await bundleForService(join(PACKAGE, 'bundle/service'));
}
