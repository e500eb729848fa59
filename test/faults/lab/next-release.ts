import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT } from './service.ts';

const OWN = ['core', 'hooks', 'mcp', 'server', 'dashboard'];

/** Statements of the migration that the next release has more: a column, an index and a table. */
const NEXT = [
  'ALTER TABLE memories ADD COLUMN next_release text',
  'CREATE INDEX next_release_memories ON memories (tenant_id, next_release)',
  'CREATE TABLE next_release (tenant_id uuid NOT NULL, id uuid NOT NULL, PRIMARY KEY (tenant_id, id))',
];

/** Makes a folder with this release and one migration more, as the next one would have. */
export async function makeNextRelease(statements: readonly string[] = NEXT): Promise<string> {
  const release = await mkdtemp(join(tmpdir(), 'svc-faults-release-'));
  const modules = join(release, 'node_modules');
  await mkdir(join(modules, '@svc-memory'), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name !== '@svc-memory' && !name.startsWith('.')) {
      await symlink(join(ROOT, 'node_modules', name), join(modules, name));
    }
  }
  for (const name of OWN) {
    const filter = (path: string) => !['node_modules', 'src', 'scripts'].includes(basename(path));
    await cp(join(ROOT, name), join(release, name), { recursive: true, filter });
    await symlink(join(release, name), join(modules, '@svc-memory', name));
    const nested = join(ROOT, name, 'node_modules');
    await symlink(nested, join(release, name, 'node_modules'));
  }
  const migrations = join(release, 'core/migrations');
  const file = join(migrations, 'meta/_journal.json');
  const journal: { entries: { idx: number; when: number; tag: string }[] } = JSON.parse(
    await readFile(file, 'utf8'),
  );
  const last = journal.entries.at(-1);
  if (!last) throw new Error('there is no migration');
  const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: 'next_release' };
  await writeFile(file, JSON.stringify({ ...journal, entries: [...journal.entries, next] }));
  await writeFile(join(migrations, 'next_release.sql'), statements.join(';\n--> statement-breakpoint\n'));
  return release;
}
