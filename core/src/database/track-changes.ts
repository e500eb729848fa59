import { sql } from 'drizzle-orm';
import type { Tx } from './database.ts';

/**
 * Makes memories tell which of them changed since a snapshot, whoever changes them: each row says in which transaction it
 * was written last, and a tenant how often active ones were deleted outright. That takes no lock and no order of commits,
 * as a version number of the tenant would.
 *
 * @see https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
 */
export async function trackChanges(db: Tx): Promise<void> {
  await db.execute(sql`
    CREATE OR REPLACE FUNCTION svc_note_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.changed_in := pg_current_xact_id();
      RETURN NEW;
    END $$`);
  await db.execute(sql`
    CREATE OR REPLACE FUNCTION svc_note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE public.tenants SET deletions = deletions + 1
      WHERE tenant_id IN (SELECT tenant_id FROM gone WHERE archived_at IS NULL);
      RETURN NULL;
    END $$`);
  // Making a trigger locks its table: only where it is missing.
  await db.execute(sql`
    DO $$
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'memories'::regclass AND tgname = 'svc_note_change') THEN
        CREATE TRIGGER svc_note_change BEFORE UPDATE ON memories
          FOR EACH ROW EXECUTE FUNCTION svc_note_change();
      END IF;
      IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'memories'::regclass AND tgname = 'svc_note_deletion') THEN
        CREATE TRIGGER svc_note_deletion AFTER DELETE ON memories REFERENCING OLD TABLE AS gone
          FOR EACH STATEMENT EXECUTE FUNCTION svc_note_deletion();
      END IF;
    END $$`);
}
