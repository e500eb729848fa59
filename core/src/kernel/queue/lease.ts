import { sql } from 'drizzle-orm';
import { compileStatement } from '../database/compiled-statement.ts';
import type { Database } from '../database/database.ts';
import { DAY_MS, MINUTE_MS } from '../runtime/durations.ts';
import { backgroundJobs } from './schema.ts';
import type { Task } from './task.ts';

/** Milliseconds without a run after which the clock may have jumped ahead. */
const GAP_MS = DAY_MS;
/** Milliseconds by which the clocks of two processes may differ. */
const SKEW_MS = MINUTE_MS;

/**
 * Leases a due task to this process. Of several processes that ask, one gets the lease. The lease ends after the task's
 * interval, even if this process dies.
 *
 * @returns undefined when this process is to run the task; otherwise when to ask again.
 */
export async function takeLease(database: Database, task: Task, now: Date): Promise<Date | undefined> {
  const at = now.toISOString();
  const next = after(now, task.everyMs);
  // No lease ends later: the clock was wrong then, or is wrong now.
  const absurd = after(now, task.everyMs + SKEW_MS);
  const [[lease] = []] = await database.systemBatch([taking({ name: task.name, at, next, absurd })]);
  const { taken, due } = lease as { readonly taken: boolean; readonly due: string | null };
  if (!taken) return due === null ? now : new Date(due);
  const isAfterGap = due !== null && Date.parse(due) < now.getTime() - GAP_MS;
  return task.deletesByAge && isAfterGap ? new Date(next) : undefined;
}

/** Answers when the task was due before. Compiled, as an idle service does little else. */
const taking = compileStatement<Record<'name' | 'at' | 'next' | 'absurd', string>>(
  (param) => sql`WITH taken AS (
      INSERT INTO ${backgroundJobs} AS job (name, due_at) VALUES (${param('name')}, ${param('next')}::timestamptz)
      ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at
      WHERE job.due_at <= ${param('at')}::timestamptz OR job.due_at > ${param('absurd')}::timestamptz
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM taken) AS taken, (SELECT due_at FROM ${backgroundJobs} WHERE name = ${param('name')}) AS due`,
);

export async function setLease(database: Database, task: Task, dueAt: Date): Promise<void> {
  await database.system((tx) =>
    tx
      .insert(backgroundJobs)
      .values({ name: task.name, dueAt })
      .onConflictDoUpdate({ target: backgroundJobs.name, set: { dueAt } }),
  );
}

function after(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}
