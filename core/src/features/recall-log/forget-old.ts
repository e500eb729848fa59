import { lt } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { loggedRecalls } from './schema.ts';

/** Removes recalls that are older than the log keeps them; all of them where it keeps none. */
export async function forgetOldRecalls({ database, clock, settings }: Services): Promise<number> {
  const oldest = new Date(clock().getTime() - settings.recallLogDays * DAY_MS);
  const removed = await database.system((tx) =>
    tx.delete(loggedRecalls).where(lt(loggedRecalls.at, oldest)).returning({ id: loggedRecalls.id }),
  );
  return removed.length;
}
