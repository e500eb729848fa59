import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** How a test gets an engine: by `startTestEngine` or `useTestEngine`. */
const WITH_ENGINE = /\b(?:start|use)TestEngine\(/;
/** What a test calls that is about the embedded database's folder, whatever the others run on. */
const EMBEDDED_ONLY = /\bopenPglite\(/;
/** What speaks to the database itself, works in the background, or does several things at once. */
const MINDS_A_POOLER = /\bengine\.database\b|\bbackground\.run\(|\bPromise\.all\(/;
const NOT_ON_POSTGRES = [
  // Starts an engine for files of which nothing may come so far as to a database.
  'core/src/features/import/hostile.test.ts',
  // Starts its engine in a program that is told of no Postgres.
  'core/src/testing/testing.test.ts',
];

/**
 * Folders of core whose questions Postgres itself may answer in another way than the embedded database: by row-level security,
 * full text, vectors, and plans that depend on what is there.
 */
const MAY_DIFFER = /^core\/src\/features\/(query|recall|spaces|users|visibility)\//;

/** The tests of core that start an engine: whatever they ask of its database, it has to answer on Postgres too. */
const withEngine = readdirSync(join(ROOT, 'core/src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `core/src/${name}`)
  .filter((file) => !NOT_ON_POSTGRES.includes(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))
  .filter(({ text }) => WITH_ENGINE.test(text) && !EMBEDDED_ONLY.test(text));

const pooled = withEngine.filter(({ text }) => MINDS_A_POOLER.test(text)).map(({ file }) => file);

/** What runs on a Postgres behind a pooler: prepared statements, tenants' scopes, transactions and locks. */
export const POOLED: readonly string[] = [...pooled, 'test/behaviours/in-process.test.ts'];

/** The folder of a feature, or of a part of the kernel, for a file in it or below. */
const featureOf = (file: string) => file.split('/').slice(0, 4).join('/');
const pooledFeatures = new Set(pooled.map(featureOf));

/**
 * What runs on Postgres itself, of the other tests of core that start an engine: those of a feature of which none runs behind
 * the pooler, and those of folders that may differ; the statements of the rest have been on Postgres there. And the accounts
 * and the connected apps, which are tested over HTTP. Whatever else lies above the engine (HTTP, adapters, hooks, MCP, command
 * line) cannot tell the databases apart, and what needs no engine has none.
 */
export const ON_POSTGRES: readonly string[] = [
  ...withEngine
    .map(({ file }) => file)
    .filter(
      (file) => !pooled.includes(file) && (MAY_DIFFER.test(file) || !pooledFeatures.has(featureOf(file))),
    ),
  ...['server/src/accounts', 'server/src/authorization', 'server/src/events', 'test/access.test.ts'],
];
