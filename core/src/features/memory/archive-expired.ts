import { and, isNotNull, isNull, lte, min, type SQL } from 'drizzle-orm';
import type { Context, Services } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { memories } from '../records/schema.ts';
import { changeMemory } from './change.ts';
import { sweep } from './sweep.ts';

const CHUNK = 100;

/**
 * Archives memories that have expired. No answer has shown them since that moment; from here on they count as archived, and can
 * be restored as any other. Safe to run in many processes at once.
 *
 * @returns how many were archived.
 */
export function archiveExpired(services: Services): Promise<number> {
  // Index memories_expiring, which holds only what expires.
  const due = and(lte(memories.expiresAt, services.clock()), isNull(memories.archivedAt));
  return sweep(services, { due, chunk: CHUNK, deal: archiveSome });
}

/** When the next memory expires. Index memories_expiring. */
export async function nextExpiry({ database }: Services): Promise<Date | undefined> {
  const [next] = await database.system((tx) =>
    tx
      .select({ at: min(memories.expiresAt) })
      .from(memories)
      .where(and(isNotNull(memories.expiresAt), isNull(memories.archivedAt))),
  );
  return next?.at ?? undefined;
}

async function archiveSome(tx: Tx, context: Context, which: SQL | undefined): Promise<number> {
  const { now, actor } = context;
  const expired = await tx
    .select()
    .from(memories)
    .where(which)
    .orderBy(memories.id)
    .limit(CHUNK)
    .for('update', { skipLocked: true });
  for (const row of expired) {
    // Whoever set the time, and the Guardian where it is protected, have decided.
    await changeMemory(tx, context, row, { change: 'archived', archivedAt: now, decided: { author: actor } });
  }
  return expired.length;
}
