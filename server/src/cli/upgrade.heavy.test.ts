import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { svc, useFolder } from './cli.fixture.ts';
import { MIGRATIONS, migratedOtherwise } from './upgrade.fixture.ts';

const folder = useFolder();
test('a migration that fails at each start costs no backup of an earlier one, and leaves none of its own', async () => {
  // Its first migration is known, so that it is backed up; the others find their tables there.
  const path = await migratedOtherwise(
    folder,
    'failing',
    `DELETE FROM ${MIGRATIONS} WHERE id > (SELECT min(id) FROM ${MIGRATIONS})`,
  );
  const kept = ['01', '02', '03'].map((day) => `2026-01-${day}T00-00-00-000Z-migration.zip`);
  await mkdir(join(path, 'backups'));
  for (const name of kept) await writeFile(join(path, 'backups', name), '');
  for (const _ of ['once', 'again']) {
    const { code, err } = await svc('status', { SVC_DATA_DIR: path });
    expect(err).toContain('This database cannot be migrated to this release');
    expect(code).toBe(1);
  }
  expect((await readdir(join(path, 'backups'))).sort()).toEqual([...kept, 'erasures.ndjson']);
});

test('a migration that was killed at each start leaves the backup before the first try and that before the last', async () => {
  const path = await migratedOtherwise(
    folder,
    'killed',
    `DELETE FROM ${MIGRATIONS} WHERE id = (SELECT max(id) FROM ${MIGRATIONS})`,
  );
  await mkdir(join(path, 'backups'));
  for (const day of ['01', '02', '03']) {
    await writeFile(join(path, 'backups', `2026-01-${day}T00-00-00-000Z-migration-pending.zip`), '');
  }
  expect((await svc('migrate', { SVC_DATA_DIR: path })).out).toContain('up to date');
  expect((await readdir(join(path, 'backups'))).sort()).toEqual([
    '2026-01-01T00-00-00-000Z-migration.zip',
    expect.stringMatching(/Z-migration\.zip$/),
    'erasures.ndjson',
  ]);
});

test('doctor leaves a folder of an earlier release as it is, and says that the next start migrates it', async () => {
  const path = await migratedOtherwise(
    folder,
    'earlier',
    `DELETE FROM ${MIGRATIONS} WHERE id = (SELECT max(id) FROM ${MIGRATIONS})`,
  );
  const env = { SVC_DATA_DIR: path, SVC_PORT: '0' };
  await writeFile(join(path, 'credentials.json'), '{"api_url":"http://127.0.0.1:1","api_key":"svc_x"}', {
    mode: 0o600,
  });
  for (const _ of ['once', 'again']) {
    const { code, out } = await svc('doctor', { ...env, SVC_EMBEDDER: 'auto' });
    expect(out).toContain('works; the next start migrates the database, after a backup\n');
    expect(out).toContain(
      '! Credentials: credentials.json cannot be tried: the next start migrates the database',
    );
    expect(out).toContain('! Embedder: auto cannot choose by what is stored: the next start migrates');
    expect(code).toBe(0);
  }
  expect(existsSync(join(path, 'backups'))).toBe(false);
  const earlier = ['01', '02', '03'].map((day) => `2026-01-${day}T00-00-00-000Z-migration.zip`);
  await mkdir(join(path, 'backups'));
  for (const name of earlier) await writeFile(join(path, 'backups', name), '');
  const { out } = await svc('migrate', { ...env, SVC_BACKUPS_KEEP: '3' });
  expect(out).toContain('up to date');
  const kept = (await readdir(join(path, 'backups'))).sort();
  expect(kept).toEqual([...earlier.slice(1), expect.stringMatching(/-migration\.zip$/), 'erasures.ndjson']);
});
