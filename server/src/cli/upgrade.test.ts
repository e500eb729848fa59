import { expect, test } from 'vitest';
import { svc, useFolder } from './cli.fixture.ts';
import { MIGRATIONS, migratedOtherwise } from './upgrade.fixture.ts';

const folder = useFolder();
test('a migration that does not fit the tables is told with what to do, not with its SQL', async () => {
  // As in a folder that was made before the tables had the form of the first release.
  const path = await migratedOtherwise(folder, 'misfit', `DELETE FROM ${MIGRATIONS}`);
  const { code, err } = await svc('status', { SVC_DATA_DIR: path });
  expect(err).toMatch(
    /^svc: This database cannot be migrated to this release: its tables are none that a release made \(42\w+\)\.\n +Nothing was changed\. Start the release that made it; what its `npx svc-memory export` writes, `npx svc-memory import` reads\.\n$/,
  );
  expect(code).toBe(1);
});

test('doctor says how to go on with a folder that a newer release has migrated', async () => {
  const path = await migratedOtherwise(
    folder,
    'newer',
    `UPDATE ${MIGRATIONS} SET created_at = created_at + 1000000000000`,
  );
  const { out } = await svc('doctor', { SVC_DATA_DIR: path, SVC_PORT: '0' });
  expect(out).toMatch(
    /✗ Database: This database was migrated by a newer release .*\n {2}Nothing was changed\. Start that release/,
  );
});
