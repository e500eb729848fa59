import { and, eq, inArray, lte } from 'drizzle-orm';
import type { Tx } from '../database/database.ts';
import type { Context, Dependencies } from '../engine/context.ts';
import { serviceContext } from '../engine/service-context.ts';
import { eraseFromGuardian } from '../guardian/erase.ts';
import { importOrigins } from '../import/schema.ts';
import { unindexMemories } from '../recall/index-memories.ts';
import { RESTORE_DAYS } from './row.ts';
import { memories, memoryVersions } from './schema.ts';

const CHUNK = 200;
const DAY_MS = 86_400_000;

/**
 * Erases for good what has been archived for 30 days: content, history, terms, vectors, and the Guardian's texts of it.
 * Safe to run in many processes at once. Design 5, archive.
 *
 * @returns How many memories were erased.
 */
export async function eraseExpired(deps: Dependencies): Promise<number> {
  const cutoff = new Date(deps.clock().getTime() - RESTORE_DAYS * DAY_MS);
  const tenants = await deps.database.system((tx) => findTenants(tx, cutoff));
  let erased = 0;
  for (const tenantId of tenants) {
    const context = serviceContext(deps, tenantId);
    for (;;) {
      const ids = await context.write((tx) => eraseChunk(tx, context, cutoff));
      erased += ids;
      if (ids < CHUNK) break;
    }
  }
  return erased;
}

/** Index memories_archived, which holds only what is archived. */
async function findTenants(tx: Tx, cutoff: Date): Promise<string[]> {
  const found = await tx
    .selectDistinct({ tenantId: memories.tenantId })
    .from(memories)
    .where(lte(memories.archivedAt, cutoff));
  return found.map(({ tenantId }) => tenantId);
}

/** Whoever restores one of them at the same moment comes before or after, never between. */
async function eraseChunk(tx: Tx, context: Context, cutoff: Date): Promise<number> {
  const { tenantId } = context;
  // Locked first and in order, so that the history is not deleted of a memory that is just being restored.
  const due = await tx
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), lte(memories.archivedAt, cutoff)))
    .orderBy(memories.id)
    .limit(CHUNK)
    .for('update');
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx
    .delete(memoryVersions)
    .where(and(eq(memoryVersions.tenantId, tenantId), inArray(memoryVersions.memoryId, ids)));
  await unindexMemories(tx, context, ids);
  await eraseFromGuardian(tx, context, ids);
  await tx
    .delete(importOrigins)
    .where(and(eq(importOrigins.tenantId, tenantId), inArray(importOrigins.memoryId, ids)));
  await tx.delete(memories).where(and(eq(memories.tenantId, tenantId), inArray(memories.id, ids)));
  return ids.length;
}
