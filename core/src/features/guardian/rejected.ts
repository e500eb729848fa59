import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { type EntryRow, guardianEntries } from '../records/pending-change-schema.ts';
import { compareMeaning } from './meaning/compare.ts';
import { digestOf, wordingOf } from './same-words.ts';

/** The entry by which a text was rejected, if it was. */
export type Rejected = (content: string) => EntryRow | undefined;

/** By how much the words of a text that only is spelt in another way are longer or shorter: a share, and letters beside. */
const SPELT = { share: 0.05, letters: 3 };

/**
 * Finds the entry by which a text was rejected, unless somebody who decides wanted it since. Entries whose text did not change
 * were rejected for something else. What time alone would turn into a rejected text, such as a misspelling of it, counts as that; a
 * text that was erased since is known by its words only.
 */
export async function findRejected(tx: Tx, { tenantId }: Context): Promise<Rejected> {
  const { status, decidedAt, decidedSource } = guardianEntries;
  // Index guardian_decided.
  const decided = await tx
    .select()
    .from(guardianEntries)
    .where(
      and(
        eq(guardianEntries.tenantId, tenantId),
        isNotNull(decidedAt),
        isNotNull(decidedSource),
        inArray(status, ['rejected', 'approved']),
      ),
    )
    .orderBy(asc(decidedAt), asc(guardianEntries.id));
  // By digest, since of erased texts nothing else is left.
  const last = new Map<string, EntryRow>();
  for (const entry of decided) {
    const digest = entry.saidDigest ?? newlySaid(entry);
    if (digest !== null) last.set(digest, entry);
  }
  return (content) => {
    const words = wordingOf(content);
    const same = last.get(digestOf(tenantId, words));
    if (same) return same.status === 'rejected' ? same : undefined;
    for (const entry of last.values()) {
      if (entry.status !== 'rejected' || !entry.proposed || entry.saidDigest !== null) continue;
      if (!isAsLong(wordingOf(entry.proposed.content), words)) continue;
      // A mend of the spelling may be what was rejected.
      if (words === wordingOf(entry.current?.content ?? '')) continue;
      if (compareMeaning(content, entry.proposed.content).concerns.length === 0) return entry;
    }
    return undefined;
  };
}

/** A digest of what an entry says that the memory did not say before; null where that is nothing. */
export function newlySaid({
  tenantId,
  current,
  proposed,
}: Pick<EntryRow, 'tenantId' | 'current' | 'proposed'>): string | null {
  const said = wordingOf(proposed?.content ?? '');
  return said === '' || said === wordingOf(current?.content ?? '') ? null : digestOf(tenantId, said);
}

/** The error of who says again what was rejected. */
export function rejectedBefore({ id }: EntryRow): SvcError {
  return new SvcError(
    'FORBIDDEN',
    'This was rejected when it was to become a protected memory; only who decides about those brings it back as a core memory.',
    { details: { entry: { id } } },
  );
}

function isAsLong(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= SPELT.share * one.length + SPELT.letters;
}
