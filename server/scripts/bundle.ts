import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { licensesOf } from '../../mcp/scripts/licenses.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUT = join(PACKAGE, 'bundle');

/** Packages whose code reads files that lie beside it. */
const WITH_FILES = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector', 'dictionary-en'];
/** Packages that only who wants them installs, beside the optional peers. */
const OPTIONAL = ['@huggingface/transformers', 'pg-native'];

/** Characters of a JSON file from which on it is kept as text. */
const LARGE_TABLE = 10_000;

/** The table of media types, which five packages have a copy of: each start would read all five. */
const ofExpress = createRequire(createRequire(import.meta.url).resolve('express'));
const ONE_COPY = Object.fromEntries(['mime-db', 'mime-types'].map((name) => [name, ofExpress.resolve(name)]));

/** Leaves every module the URL that it has unbundled: from there it finds its files, and the packages of its package. */
const keepUrls = (outdir: string): Plugin => ({
  name: 'keep-urls',
  setup: ({ onLoad }) => {
    const own = relative(outdir, join(PACKAGE, 'dist')).replaceAll(sep, '/');
    /** Where modules of a package are unbundled, as JavaScript that runs in the bundle. */
    const builds: Readonly<Record<string, string>> = {
      server: `new URL('${own}/', import.meta.url)`,
      core: `import.meta.resolve('@svc-memory/core')`,
      hooks: `import.meta.resolve('@svc-memory/hooks')`,
    };
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
      const [name = '', folder, ...rest] = relative(ROOT, path).split(sep);
      const text = await readFile(path, 'utf8');
      if (folder !== 'src' || !text.includes('import.meta.url')) return undefined;
      const base = builds[name];
      if (base === undefined) throw new Error(`nothing says where the modules of ${name}/ are built`);
      const module = `./${rest.join('/').replace(/\.ts$/, '.js')}`;
      const url = `new URL('${module}', ${base}).href`;
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
});

const { peerDependencies }: { peerDependencies: Readonly<Record<string, string>> } = JSON.parse(
  await readFile(join(PACKAGE, 'package.json'), 'utf8'),
);

/** Leaves out the messages of all languages but English, half of the package, which only who names them gets. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup: ({ onLoad }) => {
    onLoad({ filter: /node_modules[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** Keeps large tables as text until they are needed: Node skips a string faster than it parses the same as JavaScript. */
const tablesAsText: Plugin = {
  name: 'tables-as-text',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.json$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (text.length < LARGE_TABLE) return undefined;
      return {
        contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))});`,
        loader: 'js',
      };
    });
  },
};

/**
 * Gives a CommonJS package that is imported when it is needed the names that Node gives it. By itself the bundle would export
 * its default only, and `const { request } = await import('undici')` would be undefined.
 */
const namedExports: Plugin = {
  name: 'named-exports',
  setup: ({ onResolve, onLoad, resolve }) => {
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === namedExports || path.startsWith('node:'))
        return undefined;
      const options = { kind, resolveDir, pluginData: namedExports };
      const found = await resolve(path, options);
      const isModule =
        found.external || found.path.endsWith('.mjs') || (await typeOf(found.path)) === 'module';
      return isModule ? found : { path, namespace: 'named', pluginData: { resolveDir, file: found.path } };
    });
    onLoad({ filter: /.*/, namespace: 'named' }, async ({ path, pluginData: { resolveDir, file } }) => {
      const names = Object.keys(await import(pathToFileURL(file).href)).filter(
        (name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default',
      );
      const contents = `import all from '${path}'; export const { ${names.join(', ')} } = all; export default all;`;
      return { contents, resolveDir };
    });
  },
};

/** The type of the package that a file is in: `module` or, by default, `commonjs`. */
async function typeOf(file: string): Promise<string> {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text).type ?? 'commonjs';
  }
  return 'commonjs';
}

await rm(OUT, { recursive: true, force: true });
await bundle('src/cli/main.ts', OUT);
// On its own, since code that several commands share is split into many files.
await bundle('src/cli/serve-main.ts', join(OUT, 'serve'));

/** A start reads some files in place of two thousand. What is needed later stays in files of its own. */
async function bundle(entry: string, outdir: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: PACKAGE,
    entryPoints: [join(PACKAGE, entry)],
    outdir,
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    mainFields: ['module', 'main'],
    alias: ONE_COPY,
    external: [...WITH_FILES, ...OPTIONAL, ...Object.keys(peerDependencies)],
    plugins: [keepUrls(outdir), englishOnly, tablesAsText, namedExports],
    minifyWhitespace: true,
    minifySyntax: true,
    // Stack traces name the sources; what is in them, only the checkout has.
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    // Some of the bundled packages are CommonJS and ask for Node's own modules at run time.
    banner: {
      js: "import { createRequire as svcRequire } from 'node:module'; const require = svcRequire(import.meta.url);",
    },
  });
  await dropForeignMaps(metafile);
  await writeFile(join(outdir, 'LICENSES.txt'), await licensesOf(PACKAGE, Object.keys(metafile.inputs)));
}

/** Of files that hold packages only, a map would name sources that nobody has: megabytes for each who installs it. */
async function dropForeignMaps({ outputs }: Metafile): Promise<void> {
  for (const [path, { inputs }] of Object.entries(outputs)) {
    const isOwn = (source: string) => source.endsWith('.ts') && !source.includes('node_modules/');
    if (!path.endsWith('.js') || Object.keys(inputs).some(isOwn)) continue;
    const file = join(PACKAGE, path);
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
    await rm(`${file}.map`);
  }
}
