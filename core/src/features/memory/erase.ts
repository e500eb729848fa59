import { and, eq, inArray, lte, type SQL } from 'drizzle-orm';
import type { Context, Services } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { RESTORE_DAYS } from '../records/row.ts';
import { memories, memoryVersions } from '../records/schema.ts';
import { unindexMemories } from '../search-index/index-memories.ts';
import { closeGaps, lockChains } from './chain.ts';
import { sweep } from './sweep.ts';

const CHUNK = 200;

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly erasers: readonly Eraser[];
  }
}

declare module '../../kernel/feature.ts' {
  interface FeatureParts {
    /** Erases what the feature has stored of a memory, together with the memory. */
    readonly erase?: Eraser;
  }
}

/** Removes what a feature has stored of memories that are erased in this transaction. */
export type Eraser = (tx: Tx, context: Context, memoryIds: readonly string[]) => Promise<void>;

/**
 * Erases for good what has been archived for 30 days: content, history, terms, vectors. Safe to run in many processes at
 * once.
 *
 * @returns how many memories were erased.
 */
export function eraseExpired(services: Services): Promise<number> {
  const cutoff = new Date(services.clock().getTime() - RESTORE_DAYS * DAY_MS);
  // Index memories_archived, which holds only what is archived.
  return sweep(services, { due: lte(memories.archivedAt, cutoff), chunk: CHUNK, deal: eraseSome });
}

/** Whoever restores one of them at the same moment comes before or after, never between. */
async function eraseSome(tx: Tx, context: Context, which: SQL | undefined): Promise<number> {
  const { tenantId, erasers } = context;
  await lockChains(tx, context);
  // Locked first and in order, so that the history is not deleted of a memory that is just being restored.
  const due = await tx
    .select({ id: memories.id })
    .from(memories)
    .where(which)
    .orderBy(memories.id)
    .limit(CHUNK)
    .for('update');
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await closeGaps(tx, context, ids);
  await tx
    .delete(memoryVersions)
    .where(and(eq(memoryVersions.tenantId, tenantId), inArray(memoryVersions.memoryId, ids)));
  await unindexMemories(tx, context, ids);
  for (const erase of erasers) await erase(tx, context, ids);
  await tx.delete(memories).where(and(eq(memories.tenantId, tenantId), inArray(memories.id, ids)));
  await context.audit(tx, 'memories.erased', { memory_ids: ids });
  return ids.length;
}
