import { and, eq, not, or, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../kernel/database/database.ts';
import { guardianEntries, isPending } from '../records/pending-change-schema.ts';
import { memories } from '../records/schema.ts';
import { entryRuled } from './condition.ts';
import { type Reader, viewOf } from './view.ts';

/**
 * Condition on `guardian_entries` that leaves out those the caller must not know of: the entries of hidden memories, but
 * for changes that wait for the human, and what the human has decided. Undefined where nothing is withheld.
 */
export async function knownEntries(tx: Tx, reader: Reader): Promise<SQL | undefined> {
  const view = await viewOf(tx, reader);
  if (view.isFull) return undefined;
  const hidden = entryRuled(view.rules, ['hidden']);
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
