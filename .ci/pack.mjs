// Packs every package, as it is published, into the folder dist/ of the checkout, or the one that is named, in place of older tarballs
// there.
// Run it after a build: npm run pack
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DESTINATION = resolve(process.argv[2] ?? join(ROOT, 'dist'));
/** Entries for CommonJS, which load the ES modules, and their types: the same files in a folder whose own manifest says so. */
const COMMONJS = 'cjs';
const OURS = /^svc-memory-.*\.tgz$/;
const MAP_COMMENT = /^\/\/# sourceMappingURL=.*\n?/m;
const RELATIVE_IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*|\bmodule\s+)(["'])(\.[^"']*)\1/g;

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);

/** Puts one package as it is published into `folder`. */
function stage(workspace, folder) {
  const from = join(ROOT, workspace);
  const manifest = readJson(join(from, 'package.json'));
  for (const entry of manifest.files)
    cpSync(join(from, entry), join(folder, entry), { recursive: true, filter: isPublished });
  for (const document of ['README.md', 'CHANGELOG.md']) {
    if (existsSync(join(from, document))) cpSync(join(from, document), join(folder, document));
  }
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  mkdirSync(join(folder, 'dist'), { recursive: true });
  for (const file of readdirSync(join(folder, 'dist'), { recursive: true })) {
    if (file.endsWith('.js')) withoutMap(join(folder, 'dist', file));
  }
  const entries = Object.values(manifest.exports ?? {}).filter(({ types }) => types);
  for (const file of declarationsFrom(
    from,
    entries.map(({ types }) => types),
  ))
    copyDeclaration(from, file, folder);
  for (const { types, default: module } of entries) {
    const entry = commonJsEntry(types);
    const target = relative(dirname(entry), module).replaceAll('\\', '/');
    writeFileSync(join(folder, entry), `module.exports = require('${target}');\n`);
  }
  if (entries.length > 0) writeJson(join(folder, 'dist', COMMONJS, 'package.json'), { type: 'commonjs' });
  writeJson(join(folder, 'package.json'), publishedManifest(manifest));
}

/**
 * Maps lead to sources that are not published, but for those of a bundle, by which its stack traces can be read; of the
 * declarations only those are copied that an entry leads to. Snapshots of the schema are for making the next migration.
 */
function isPublished(path) {
  const isMap = extname(path) === '.map' && basename(dirname(path)) !== 'bundle';
  return !isMap && !/\.d\.ts$|\.tsbuildinfo$|_snapshot\.json$/.test(path);
}

/** The declaration files that a package's entries lead to, relative to the package. */
function declarationsFrom(from, entries) {
  const found = new Set();
  const follow = (file) => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(join(from, file), 'utf8');
    for (const [, , specifier] of text.matchAll(RELATIVE_IMPORT)) {
      const target = join(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'));
      follow(relative(from, resolve(from, target)));
    }
  };
  for (const entry of entries) follow(join(entry));
  return found;
}

function withoutMap(file) {
  writeFileSync(file, readFileSync(file, 'utf8').replace(MAP_COMMENT, ''));
}

function copyDeclaration(from, file, folder) {
  const text = readFileSync(join(from, file), 'utf8').replace(MAP_COMMENT, '');
  for (const path of [file, commonJs(file)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function commonJs(file) {
  return file.replace(/^((?:\.\/)?dist)[/\\]/, `$1/${COMMONJS}/`);
}

function commonJsEntry(types) {
  return commonJs(types).replace(/\.d\.ts$/, '.js');
}

/** The manifest without what only the checkout needs, and with types for each kind of project. */
function publishedManifest({ devDependencies, scripts, exports = {}, imports, ...manifest }) {
  const subpaths = Object.entries(exports).filter(([, { types }]) => types);
  // Read by TypeScript's resolution "node10", which knows no exports.
  const typesVersions = subpaths
    .filter(([subpath]) => subpath !== '.')
    .map(([subpath, { types }]) => [subpath.slice(2), [commonJs(types)]]);
  const main = exports['.'];
  return {
    ...manifest,
    ...(main ? { main: commonJsEntry(main.types), types: commonJs(main.types) } : {}),
    ...(typesVersions.length > 0 ? { typesVersions: { '*': Object.fromEntries(typesVersions) } } : {}),
    ...(imports ? { imports: mapValues(imports, ({ default: target }) => target) } : {}),
    exports: { ...mapValues(exports, publishedExport), './package.json': './package.json' },
  };
}

function publishedExport(entry) {
  const { types, default: file } = entry;
  if (!types) return entry;
  return {
    import: { types, default: file },
    require: { types: commonJs(types), default: commonJsEntry(types) },
    default: file,
  };
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

const stages = mkdtempSync(join(tmpdir(), 'svc-pack-'));
try {
  const folders = readJson(join(ROOT, 'package.json')).workspaces.map((workspace) => {
    const folder = join(stages, workspace.replaceAll('/', '-'));
    mkdirSync(folder);
    stage(workspace, folder);
    return folder;
  });
  mkdirSync(DESTINATION, { recursive: true });
  // Nothing else goes: the folder may be one that holds more, such as the user's own.
  for (const name of readdirSync(DESTINATION).filter((name) => OURS.test(name)))
    rmSync(join(DESTINATION, name));
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['pack', '--ignore-scripts', '--silent', '--pack-destination', DESTINATION, ...folders], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
} finally {
  rmSync(stages, { recursive: true, force: true });
}
