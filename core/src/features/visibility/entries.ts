import { and, eq, not, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { guardianEntries, isPending } from '../records/pending-change-schema.ts';
import { memories } from '../records/schema.ts';
import { entryRuled } from './condition.ts';
import { viewOf } from './view.ts';

/**
 * Condition on `guardian_entries` that leaves out those the caller must not know of: the entries of hidden memories, but
 * for changes that wait for the human, and what the human has decided. Undefined where nothing is withheld.
 */
export async function knownEntries(
  tx: Tx,
  context: Pick<Context, 'actor' | 'tenantId' | 'agentId' | 'now'>,
): Promise<SQL | undefined> {
  const view = await viewOf(tx, context);
  if (view.isFull) return undefined;
  const hidden = entryRuled(view.settings, ['hidden']);
  const memory = and(
    eq(memories.tenantId, guardianEntries.tenantId),
    eq(memories.id, guardianEntries.memoryId),
    view.known,
  );
  return or(
    isPending,
    eq(guardianEntries.decidedSource, 'human'),
    and(sql`EXISTS (SELECT FROM ${memories} WHERE ${memory})`, hidden && not(hidden)),
  );
}
