import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** Packages that a module of this source tree loads, by itself or through others. */
async function packagesOf(file: URL, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file.href)) return new Set();
  seen.add(file.href);
  const source = await readFile(file, 'utf8');
  const found = new Set<string>();
  for (const [, kind, from = ''] of source.matchAll(/^(?:import|export) (type )?[^;']*?from '([^']+)';/gm)) {
    if (kind !== undefined) continue;
    const inner = from.startsWith('.') ? await packagesOf(new URL(from, file), seen) : [from];
    for (const name of inner) found.add(name);
  }
  return found;
}

test('adapters load neither the engine nor a database', async () => {
  const found = await packagesOf(new URL('./index.ts', import.meta.url));
  // zod: the contract, which the client of a service loads as well.
  expect([...found].sort()).toEqual(['#o200k_base', 'node:crypto', 'node:module', 'zod']);
});
