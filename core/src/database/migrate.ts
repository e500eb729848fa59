import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { rows, type Tx } from './database.ts';

/** Folder with the forward migrations; the same relative place from `src` and `dist`. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Role every tenant transaction runs as when the connecting user would bypass row-level security. */
const APP_ROLE = 'svc_app';

/** Throws when the database was written by a newer release: migrations only go forward. */
export async function refuseNewerDatabase(db: Tx): Promise<void> {
  const journal: { entries: { when: number }[] } = JSON.parse(
    await readFile(`${MIGRATIONS}/meta/_journal.json`, 'utf8'),
  );
  const newest = Math.max(...journal.entries.map((entry) => entry.when));
  const [present] = await rows<{ there: boolean }>(
    db,
    sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS there`,
  );
  if (!present?.there) return;
  const [applied] = await rows<{ newest: string | null }>(
    db,
    sql`SELECT max(created_at)::text AS newest FROM drizzle.__drizzle_migrations`,
  );
  if (Number(applied?.newest ?? 0) > newest) {
    throw new Error(
      'This database was migrated by a newer release of the Agent Memory Service. Start that release, or restore a backup made before the upgrade.',
    );
  }
}

/**
 * Puts every table with a `tenant_id` behind row-level security, also for the table's owner. Runs after each
 * migration, so that a new table cannot be forgotten.
 *
 * Returns the role that tenant transactions must switch to, or undefined when the connecting user is bound anyway.
 */
export async function enforceRowLevelSecurity(db: Tx): Promise<string | undefined> {
  const [user] = await rows<{ bypasses: boolean }>(
    db,
    sql`SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = current_user`,
  );
  // The settings stand in sub-selects so that a query reads them once, not once per row.
  await db.execute(sql`
    DO $$
    DECLARE name text;
    BEGIN
      FOR name IN
        SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
          AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'own_tenant')
      LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format($policy$
          CREATE POLICY own_tenant ON %I
          USING (tenant_id = (SELECT nullif(current_setting('svc.tenant_id', true), '')::uuid)
                 OR (SELECT current_setting('svc.system', true)) = 'on')
        $policy$, name);
      END LOOP;
    END $$`);
  if (!user?.bypasses) return undefined;
  const role = sql.identifier(APP_ROLE);
  // Roles belong to the whole server, where another database's start may make this one at the same moment.
  await db.execute(sql`
    DO $$ BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
  await db.execute(sql`GRANT USAGE ON SCHEMA public TO ${role}`);
  await db.execute(sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
  return APP_ROLE;
}
