import { eq, sql } from 'drizzle-orm';
import { type Database, rows } from '../database/database.ts';
import type { Job } from './job.ts';
import { backgroundJobs } from './schema.ts';

/** Most a failing job waits, in milliseconds. */
export const LONGEST_BACKOFF_MS = 3_600_000;

/**
 * Takes a job's turn for this process: of all that ask when it is due, one gets it, and the next turn comes after the
 * job's interval, also when this process dies in between.
 *
 * @returns undefined with the turn; otherwise when to ask again.
 */
export async function takeTurn(database: Database, job: Job, now: Date): Promise<Date | undefined> {
  const at = now.toISOString();
  const next = after(now, job.everyMs);
  // Further ahead than any turn can be: the clock was wrong then, or is now.
  const absurd = after(now, job.everyMs + LONGEST_BACKOFF_MS);
  return database.system(async (tx) => {
    const taken = await rows(
      tx,
      sql`INSERT INTO ${backgroundJobs} AS job (name, due_at) VALUES (${job.name}, ${next}::timestamptz)
          ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at
          WHERE job.due_at <= ${at}::timestamptz OR job.due_at > ${absurd}::timestamptz
          RETURNING 1`,
    );
    if (taken.length > 0) return undefined;
    const [known] = await tx.select().from(backgroundJobs).where(eq(backgroundJobs.name, job.name));
    return known?.dueAt ?? now;
  });
}

/** Moves a job's next turn. */
export async function setTurn(database: Database, job: Job, dueAt: Date): Promise<void> {
  await database.system((tx) =>
    tx
      .insert(backgroundJobs)
      .values({ name: job.name, dueAt })
      .onConflictDoUpdate({ target: backgroundJobs.name, set: { dueAt } }),
  );
}

function after(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}
