import { lt, sql } from 'drizzle-orm';
import type { EngineSettings, Services } from '../../kernel/context/context.ts';
import { compileStatement } from '../../kernel/database/compiled-statement.ts';
import type { Database } from '../../kernel/database/database.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import type { Logger } from '../../kernel/runtime/runtime.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { loggedRecalls, type RecallRow } from './schema.ts';

/** How long recalls wait to be written together: each commit costs the embedded database a wait for the disk. */
const WAIT_MS = 1_000;
/** Recalls that wait at most; later ones are left out. */
const MOST_WAITING = 2_000;

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly recallLog: RecallLog;
  }
}

/**
 * Notes recalls. It holds none of them up: what a crash takes is the last two seconds of the log. Secrets are out of the queries
 * before a recall begins.
 */
interface RecallLog {
  add(recall: RecallRow): void;
  /** Writes what waits. Never throws: a log that cannot be written is reported by the service's own. */
  flush(): Promise<void>;
}

export function createRecallLog({
  database,
  logger,
  settings,
}: {
  readonly database: Database;
  readonly logger: Logger;
  readonly settings: EngineSettings;
}): RecallLog {
  let waiting: RecallRow[] = [];
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const writeOf = async (tenantId: string, rows: readonly RecallRow[]): Promise<void> => {
    try {
      const columns = rows.map(toColumns);
      await database.batch(tenantId, [
        ...(database.kind === 'postgres' ? [committingSoon] : []),
        inserting({ rows: JSON.stringify(columns) }),
      ]);
    } catch (error) {
      logger.warn({ err: error, recalls: rows.length }, 'recalls were not logged');
    }
  };
  // Each tenant's in its own scope: no row reaches another's log, and what fails of one takes nothing of another's along.
  const write = async (rows: readonly RecallRow[]): Promise<void> => {
    const byTenant = new Map<string, RecallRow[]>();
    for (const row of rows) {
      const own = byTenant.get(row.tenantId);
      if (own) own.push(row);
      else byTenant.set(row.tenantId, [row]);
    }
    for (const [tenantId, own] of byTenant) await writeOf(tenantId, own);
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const rows = waiting;
    waiting = [];
    // One after the other, so that whoever waits for this flush waits for those before it, too.
    writing = writing.then(() => write(rows));
    return writing;
  };
  return {
    add: (recall) => {
      if (settings.recallLogDays === 0 || waiting.length >= MOST_WAITING) return;
      waiting.push(recall);
      timer ??= setTimeout(flush, WAIT_MS).unref();
    },
    flush,
  };
}

function toColumns({ tenantId, id, at, query, source, credentialId, results, degraded, tookMs }: RecallRow) {
  return {
    ...{ id, at, query, source, results, degraded },
    tenant_id: tenantId,
    credential_id: credentialId,
    took_ms: tookMs,
  };
}

/**
 * The commit does not wait for the disk, which gets it some hundred milliseconds later with what else is written: of many users
 * each has a transaction, and calls would wait behind theirs. The embedded database has no other process that would write it later.
 */
const committingSoon = sql`SELECT set_config('synchronous_commit', 'off', true)`;

/** Of tenants only that are there, and are so until it has committed: nothing is logged behind an erasure. */
const inserting = compileStatement<{ rows: string }>(
  (param) => sql`INSERT INTO ${loggedRecalls}
    SELECT recall.* FROM json_populate_recordset(NULL::${loggedRecalls}, ${param('rows')}::json) recall
    JOIN ${tenants} tenant USING (tenant_id)
    FOR KEY SHARE OF tenant
    ON CONFLICT DO NOTHING`,
);

/** Removes recalls that are older than the log keeps them; all of them where it keeps none. */
export async function forgetOldRecalls({ database, clock, settings }: Services): Promise<number> {
  const oldest = new Date(clock().getTime() - settings.recallLogDays * DAY_MS);
  const removed = await database.system((tx) =>
    tx.delete(loggedRecalls).where(lt(loggedRecalls.at, oldest)).returning({ id: loggedRecalls.id }),
  );
  return removed.length;
}
