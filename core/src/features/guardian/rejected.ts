import { and, asc, eq } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { type EntryRow, guardianEntries, isDecided } from '../records/pending-change-schema.ts';
import { compareMeaning } from './meaning/compare.ts';
import { digestOf, letterCounts, lettersApart, skeletonOf } from './skeleton.ts';

export type Rejected = (content: string) => EntryRow | undefined;

/** How many letters a text that only is spelt in another way has more or fewer of: a share, and some beside. */
const SPELT = { share: 0.1, letters: 6 };
/** Rejected texts that one is compared with, those of the most like letters: to compare with thousands would take seconds. */
const MOST_COMPARED = 20;

/**
 * Finds the entry by which a text was rejected, unless somebody who decides wanted it since. Entries whose text did not change
 * were rejected for something else. What time alone would turn into a rejected text, such as a misspelling of it, counts as that; a
 * text that was erased since is known by its digest only.
 */
export async function findRejected(tx: Tx, { tenantId }: Context): Promise<Rejected> {
  const decided = await tx
    .select()
    .from(guardianEntries)
    .where(and(eq(guardianEntries.tenantId, tenantId), isDecided))
    .orderBy(asc(guardianEntries.decidedAt), asc(guardianEntries.id));
  // By digest, since of erased texts nothing else is left.
  const last = new Map<string, EntryRow>();
  for (const entry of decided) {
    const digest = entry.saidDigest ?? newlySaid(entry);
    if (digest !== null) last.set(digest, entry);
  }
  let rejected: readonly RejectedText[] | undefined;
  return (content) => {
    const skeleton = skeletonOf(content);
    const same = last.get(digestOf(tenantId, skeleton));
    if (same) return same.status === 'rejected' ? same : undefined;
    rejected ??= [...last.values()].flatMap(textOf);
    return nearest(rejected, skeleton).find(
      // A mend of the spelling may be what was rejected.
      ({ text, before }) => skeleton !== before && compareMeaning(content, text).concerns.length === 0,
    )?.entry;
  };
}

interface RejectedText {
  readonly entry: EntryRow;
  readonly text: string;
  readonly letters: Uint16Array;
  /** The skeleton of what the memory said before. */
  readonly before: string;
}

function textOf(entry: EntryRow): RejectedText[] {
  const { status, current, proposed, saidDigest } = entry;
  if (status !== 'rejected' || !proposed || saidDigest !== null) return [];
  const { content: text } = proposed;
  return [
    { entry, text, letters: letterCounts(skeletonOf(text)), before: skeletonOf(current?.content ?? '') },
  ];
}

/** Those of which a text may be another spelling, the most like first. */
function nearest(rejected: readonly RejectedText[], skeleton: string): readonly RejectedText[] {
  const letters = letterCounts(skeleton);
  const most = SPELT.share * skeleton.length + SPELT.letters;
  return rejected
    .map((one) => ({ one, apart: lettersApart(one.letters, letters) }))
    .filter(({ apart }) => apart <= most)
    .sort((a, b) => a.apart - b.apart)
    .slice(0, MOST_COMPARED)
    .map(({ one }) => one);
}

/** A digest of what an entry says that the memory did not say before; null where that is nothing. */
export function newlySaid({
  tenantId,
  current,
  proposed,
}: Pick<EntryRow, 'tenantId' | 'current' | 'proposed'>): string | null {
  const said = skeletonOf(proposed?.content ?? '');
  return said === '' || said === skeletonOf(current?.content ?? '') ? null : digestOf(tenantId, said);
}

/** The error of who says again what was rejected. */
export function rejectedBefore({ id }: EntryRow): SvcError {
  return new SvcError(
    'FORBIDDEN',
    'This was rejected when it was to become a protected memory; only who decides about those brings it back as a core memory.',
    { details: { entry: { id } } },
  );
}
