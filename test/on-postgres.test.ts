import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ON_POSTGRES, POOLED } from './full/on-postgres.ts';

const FEATURES = fileURLToPath(new URL('../core/src/features', import.meta.url));
/** Features whose own folders start no engine: `server/src/authorization` and the tests of `memory` ask about their tables. */
const BY_OTHERS = ['connections', 'supersession'];

test('the full suite asks Postgres about every feature that has tables', () => {
  const files = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' });
  const withTables = files
    .filter((file) => /^[^/]+\/schema\.ts$/.test(file))
    .map((file) => file.split('/')[0]);
  const asked = new Set([...POOLED, ...ON_POSTGRES].map((file) => file.split('/')[3]));
  expect(withTables.filter((feature) => !asked.has(feature))).toEqual(BY_OTHERS);
});
