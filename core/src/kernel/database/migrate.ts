import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { rows, type Tx } from './database.ts';
import { DatabaseError, translateError } from './errors.ts';

/** Folder with the migrations. Its relative path is the same from `src` and `dist`. */
export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** The role that tenant transactions run as when the connecting user bypasses row-level security. */
const APP_ROLE = 'svc_app';

// Class 42 without 42501: a name that is there already, or is not.
const MISFIT = /^42(?!501)/;

/** When the newest migration of this release was made, in milliseconds; migrations are numbered so. */
export async function newestMigration(): Promise<number> {
  const journal: { entries: { when: number }[] } = JSON.parse(
    await readFile(`${MIGRATIONS}/meta/_journal.json`, 'utf8'),
  );
  return Math.max(...journal.entries.map((entry) => entry.when));
}

/** The newest migration that a database has; undefined in a new one. */
async function appliedMigration(db: Tx): Promise<number | undefined> {
  const [present] = await rows<{ there: boolean }>(
    db,
    sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS there`,
  );
  if (!present?.there) return undefined;
  const [applied] = await rows<{ newest: string | null }>(
    db,
    sql`SELECT max(created_at)::text AS newest FROM drizzle.__drizzle_migrations`,
  );
  return Number(applied?.newest ?? 0);
}

/** Thrown when a newer release has migrated the database: there are no down migrations. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
  constructor() {
    super('This database was migrated by a newer release of the Agent Memory Service.');
  }
}

/** Thrown when a migration does not fit the tables that are there, as of sources between two releases. It is rolled back. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  constructor(code: string, cause: unknown) {
    super(
      `This database cannot be migrated to this release: its tables are none that a release made (${code}).`,
      {
        cause,
      },
    );
  }
}

/** The schema that the migrations put the tables in, and that is looked through for them first. */
const SCHEMA = 'public';

/** Thrown where a database, or what is set for the connecting user there, does not let the service store texts and find them. */
export class DatabaseSettingsError extends Error {
  override readonly name = 'DatabaseSettingsError';
  constructor(
    message: string,
    /** The statement that mends it. */
    readonly remedy: string,
  ) {
    super(message);
  }
}

const setForUser = (setting: string) => `ALTER ROLE … IN DATABASE … SET ${setting}`;

/**
 * Tables would be made, and looked for, in a schema that the service knows nothing of; and times would be read wrongly.
 *
 * @throws DatabaseSettingsError
 */
export async function requireSettings(db: Tx): Promise<void> {
  const [found] = await rows<{ schema: string | null; dateStyle: string }>(
    db,
    sql`SELECT current_schema() AS schema, current_setting('DateStyle') AS "dateStyle"`,
  );
  const { schema = null, dateStyle = '' } = found ?? {};
  if (schema !== SCHEMA) {
    const path = schema === null ? 'names no schema' : `begins with the schema ${schema}`;
    throw new DatabaseSettingsError(
      `The search_path of this user ${path}, and the tables of the service are in ${SCHEMA}.`,
      setForUser(`search_path = ${SCHEMA}`),
    );
  }
  if (!dateStyle.startsWith('ISO')) {
    throw new DatabaseSettingsError(
      `Times come from this database in the DateStyle ${dateStyle}, which the service cannot read.`,
      setForUser('DateStyle = ISO'),
    );
  }
}

/**
 * A new database must be able to hold every text. One that has memories is left as it is: it holds theirs.
 *
 * @throws DatabaseSettingsError
 */
export async function requireUtf8(db: Tx): Promise<void> {
  const [found] = await rows<{ encoding: string }>(
    db,
    sql`SELECT current_setting('server_encoding') AS encoding`,
  );
  if (!found || found.encoding === 'UTF8') return;
  throw new DatabaseSettingsError(
    `The encoding of this database is ${found.encoding}, which cannot hold the texts of all languages.`,
    `CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, and name that one in its place`,
  );
}

/**
 * Some hosts keep extensions in a schema of their own.
 *
 * @throws DatabaseSettingsError
 */
export async function requireVectorType(db: Tx): Promise<void> {
  const [found] = await rows<{ schema: string; visible: boolean }>(
    db,
    sql`SELECT extnamespace::regnamespace::text AS schema, to_regtype('vector') IS NOT NULL AS visible
        FROM pg_extension WHERE extname = 'vector'`,
  );
  if (!found || found.visible) return;
  throw new DatabaseSettingsError(
    `The extension pgvector is in the schema ${found.schema}, which the search_path of this user leaves out.`,
    setForUser(`search_path = ${SCHEMA}, ${found.schema}`),
  );
}

/**
 * Runs the migrations that a database lacks, all or none.
 *
 * @param migrate What the driver has for it.
 * @throws MigrationError. What keeps any statement from running, as a full disk, is thrown as it is.
 */
export async function runMigrations(
  migrate: (options: { readonly migrationsFolder: string }) => Promise<void>,
): Promise<void> {
  try {
    await migrate({ migrationsFolder: MIGRATIONS });
  } catch (error) {
    const failure = translateError(error);
    throw failure instanceof DatabaseError && MISFIT.test(failure.code)
      ? new MigrationError(failure.code, error)
      : error;
  }
}

/**
 * Which migrations a database has, and which this release has.
 *
 * @throws NewerDatabaseError
 */
export async function migrationsOf(
  db: Tx,
): Promise<{ readonly applied: number | undefined; readonly newest: number }> {
  const [applied, newest] = [await appliedMigration(db), await newestMigration()];
  if (applied !== undefined && applied > newest) throw new NewerDatabaseError();
  return { applied, newest };
}

/** Throws when the embedded database holds tables but none of this service. */
export async function refuseForeignDatabase(db: Tx): Promise<void> {
  const [found] = await rows<{ tables: string }>(
    db,
    sql`SELECT count(*)::text AS tables FROM pg_tables WHERE schemaname = 'public'`,
  );
  if (found?.tables === '0') return;
  throw new Error(
    'The data folder holds the database of another service. Nothing was changed. Set SVC_DATA_DIR to another folder.',
  );
}

/**
 * Enables row-level security on every table with a `tenant_id`, also for the table's owner. Runs at each start, so that no
 * new table can be forgotten, also where a process died after its migration; what is in force already is left alone.
 *
 * @returns the role that tenant transactions must switch to; undefined when row-level security binds the connecting user.
 */
export async function enforceRowLevelSecurity(db: Tx): Promise<string | undefined> {
  const { bypasses, guarded, granted } = await securityOf(db);
  if (!guarded) await guardTables(db);
  if (!bypasses) return undefined;
  if (!granted) await grantToRole(db);
  await joinRole(db);
  return APP_ROLE;
}

interface Security {
  /** Whether the connecting user bypasses row-level security. */
  readonly bypasses: boolean;
  /** Whether row-level security is on for every table with a `tenant_id`, by its policy, and binds the table's owner too. */
  readonly guarded: boolean;
  /** Whether the role of tenant transactions exists and may use every table. */
  readonly granted: boolean;
}

/** One statement that only reads: making policies and grants anew at each start takes longer than all else it does. */
async function securityOf(db: Tx): Promise<Security> {
  const [security] = await rows<Security>(
    db,
    sql`
    WITH tables AS (
      SELECT oid, relrowsecurity AND relforcerowsecurity AS secured FROM pg_class
      WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
    ), app AS (
      SELECT oid FROM pg_roles WHERE rolname = ${APP_ROLE}
    ), schemas AS (
      SELECT 'public'::regnamespace::oid AS schema UNION SELECT extnamespace FROM pg_extension WHERE extname = 'vector'
    )
    SELECT
      (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS bypasses,
      NOT EXISTS (
        SELECT FROM tables JOIN pg_attribute a ON a.attrelid = tables.oid AND a.attname = 'tenant_id'
        WHERE NOT secured OR (
          SELECT count(*) FROM pg_policy p WHERE p.polrelid = tables.oid AND p.polname IN ('own_tenants', 'read_tenants')
        ) < 2
      ) AS guarded,
      EXISTS (SELECT FROM app) AND NOT EXISTS (
        SELECT FROM schemas, app WHERE NOT has_schema_privilege(app.oid, schema, 'USAGE')
      ) AND NOT EXISTS (
        SELECT FROM tables, app, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed
        WHERE NOT has_table_privilege(app.oid, tables.oid, needed)
      ) AS granted`,
  );
  if (!security) throw new TypeError('a statement without a table answers one row');
  return security;
}

/** The settings are in sub-selects, so that a query reads them once, not once per row. */
async function guardTables(db: Tx): Promise<void> {
  await db.execute(sql`
    DO $$
    DECLARE name text;
    BEGIN
      FOR name IN
        SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
          AND (NOT (c.relrowsecurity AND c.relforcerowsecurity)
            OR (SELECT count(*) FROM pg_policy p
                WHERE p.polrelid = c.oid AND p.polname IN ('own_tenants', 'read_tenants')) < 2)
      LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('DROP POLICY IF EXISTS own_tenants ON %I', name);
        EXECUTE format('DROP POLICY IF EXISTS read_tenants ON %I', name);
        -- The policy of releases without users.
        EXECUTE format('DROP POLICY IF EXISTS own_tenant ON %I', name);
        EXECUTE format($policy$
          CREATE POLICY own_tenants ON %I
          USING (tenant_id = (SELECT nullif(current_setting('svc.tenant_id', true), '')::uuid)
                 OR tenant_id = (SELECT nullif(current_setting('svc.second_tenant_id', true), '')::uuid)
                 OR (SELECT current_setting('svc.system', true)) = 'on')
        $policy$, name);
        -- What a transaction only reads, such as spaces.
        EXECUTE format($policy$
          CREATE POLICY read_tenants ON %I FOR SELECT
          USING (tenant_id = ANY ((SELECT nullif(current_setting('svc.read_tenant_ids', true), '')::uuid[])::uuid[]))
        $policy$, name);
      END LOOP;
    END $$`);
}

async function grantToRole(db: Tx): Promise<void> {
  const role = sql.identifier(APP_ROLE);
  // Roles belong to the whole server: the start of another database may create this one at the same time.
  await db.execute(sql`
    DO $$ BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
  await db.execute(sql`GRANT USAGE ON SCHEMA public TO ${role}`);
  await letUseVectors(db);
  await db.execute(sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
}

/**
 * Lets the role use the type of pgvector, which hosts may keep in a schema that they let only some roles use.
 *
 * @throws DatabaseSettingsError
 */
async function letUseVectors(db: Tx): Promise<void> {
  const [found] = await rows<{ schema: string }>(
    db,
    sql`SELECT extnamespace::regnamespace::text AS schema FROM pg_extension
        WHERE extname = 'vector' AND NOT has_schema_privilege(${APP_ROLE}, extnamespace, 'USAGE')`,
  );
  if (!found) return;
  const grant = `GRANT USAGE ON SCHEMA ${found.schema} TO ${APP_ROLE}`;
  const usable = sql`SELECT has_schema_privilege(${APP_ROLE}, ${found.schema}::regnamespace, 'USAGE') AS usable`;
  // Of who may not grant it, Postgres refuses the statement, or only warns.
  await db.execute(sql.raw(grant)).catch(() => {});
  const [after] = await rows<{ usable: boolean }>(db, usable);
  if (after?.usable) return;
  throw new DatabaseSettingsError(
    `The extension pgvector is in the schema ${found.schema}, which the role ${APP_ROLE} may not use.`,
    `${grant}, or ALTER EXTENSION vector SET SCHEMA ${SCHEMA}`,
  );
}

/**
 * Lets the connecting user become the role. Who made it is no member of it, but for superusers: of hosts such as Supabase and Neon
 * the first user is none, and bypasses row-level security all the same.
 */
async function joinRole(db: Tx): Promise<void> {
  const role = sql.identifier(APP_ROLE);
  await db.execute(sql`
    DO $$ BEGIN
      SET LOCAL ROLE ${role};
      RESET ROLE;
    EXCEPTION WHEN insufficient_privilege THEN
      GRANT ${role} TO CURRENT_USER;
    END $$`);
}
