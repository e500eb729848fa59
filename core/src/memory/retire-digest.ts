import { and, eq, isNull } from 'drizzle-orm';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { changeMemory } from './change.ts';
import { type MemoryRow, memories } from './schema.ts';

/**
 * Archives the digest that quotes an episode which is forgotten or says something else now, lest the old words live on
 * in it. The next reflection makes a new one of its other episodes.
 */
export async function retireDigest(tx: Tx, context: Context, { digestId }: MemoryRow): Promise<void> {
  if (digestId === null) return;
  const [digest] = await tx
    .select()
    .from(memories)
    .where(
      and(eq(memories.tenantId, context.tenantId), eq(memories.id, digestId), isNull(memories.archivedAt)),
    )
    .for('update');
  if (!digest) return;
  await changeMemory(tx, context, digest, {
    change: 'archived',
    archivedAt: context.now,
    source: 'reflection',
  });
}
