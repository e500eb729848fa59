import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { memoriesKnownAt } from '../records/known-at.ts';
import { readableThroughout, type View } from './view.ts';

/**
 * A transaction in whose selects `memories` are those that were known at a moment, of those that the caller may read in all
 * their versions. What is executed as text reads those of now. Without a moment, the transaction itself.
 */
export function readingAt(tx: Tx, { tenantId, now }: Context, view: View, at: Date | undefined): Tx {
  if (at === undefined) return tx;
  const known = memoriesKnownAt({ tenantId, at, now, seen: readableThroughout(tenantId, view) });
  return Object.assign(Object.create(tx) as Tx, tx.with(tx.$with('memories', {}).as(known)));
}
