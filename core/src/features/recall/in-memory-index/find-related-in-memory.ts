import { contentSourceOf } from '../../records/row.ts';
import { LONGEST_FACT } from '../../search-index/fact-type.ts';
import { readSketch } from '../../search-index/sketch.ts';
import {
  isComparable,
  type NewFact,
  OF_ONE_TERM,
  type StoredFact,
  shareOf,
  termsToLookUp,
} from '../../supersession/find-related.ts';
import type { IndexedRow } from '../../supersession/held-memories.ts';
import { shareMost } from '../../supersession/share-most.ts';
import { COVERED, DELETED } from './document-columns.ts';
import type { Indexing, TenantIndex } from './tenant-index.ts';
import type { More } from './text-store.ts';

/**
 * Finds for each new fact the memories of its type that share the most telling words with it, as `findRelated` does in the database.
 *
 * @returns undefined where the links of one lead to a memory that is not held.
 */
export function findRelatedInMemory(
  index: TenantIndex,
  facts: readonly NewFact[],
  now: Date,
): StoredFact[][] | undefined {
  index.scratch.reserve(index.slots);
  const found: StoredFact[][] = [];
  for (const fact of facts) {
    const slots = sharingMost(index, fact, now).filter((slot) => isComparable(fact, describe(index, slot)));
    const related = slots.map((slot) => storedFactAt(index, slot, now));
    if (related.includes(LEADS_ELSEWHERE)) return undefined;
    found.push(related.filter((one) => one !== LEADS_ELSEWHERE));
  }
  return found;
}

/** Stands for a fact whose successor only the database knows. */
const LEADS_ELSEWHERE = 'leads elsewhere';

/** The slots that share the most terms. */
function sharingMost(index: TenantIndex, fact: NewFact, now: Date): number[] {
  const { own, others, least } = termsToLookUp(fact.analysis.terms.keys());
  const groups = [...own.map((term) => [term]), ...(others.length > 0 ? [others] : [])];
  const holders = groups.map((terms) => {
    return { numbers: holdersOf(index, fact, { terms, now }), share: Math.min(...terms.map(shareOf)) };
  });
  const isNewer = (one: number, other: number) => index.ids.isBefore(other, one);
  return shareMost(holders, index.scratch, { least, ofOneTerm: OF_ONE_TERM.few, isNewer });
}

/**
 * The slots that hold one of some terms and have not expired, of each those that were given last: as many as the database looks at
 * for a fact.
 */
function holdersOf(
  index: TenantIndex,
  fact: NewFact,
  { terms, now }: { readonly terms: readonly string[]; readonly now: Date },
): number[] {
  const { kinds, expiries } = index.columns;
  const time = now.getTime();
  const looksAtAll = fact.analysis.length > LONGEST_FACT;
  const found: number[] = [];
  let left = 0;
  const take = (slot: number) => {
    const isThere = (kinds[slot] ?? DELETED) <= COVERED && (expiries[slot] ?? 0) > time;
    if (!isThere || !(looksAtAll || isComparable(fact, describe(index, slot)))) return true;
    found.push(slot);
    left -= 1;
    return left > 0;
  };
  for (const term of terms) {
    left = OF_ONE_TERM.few;
    index.postings.fromNewest(term, take);
  }
  return terms.length === 1 ? found : [...new Set(found)];
}

function describe(index: TenantIndex, slot: number) {
  return { type: index.typeOf(slot), length: index.columns.lengths[slot] ?? 0 };
}

function storedFactAt(index: TenantIndex, slot: number, now: Date): StoredFact | typeof LEADS_ELSEWHERE {
  const { columns, texts } = index;
  const { key, metadata, supersededBy, validFrom, validTo, expiresAt } = texts.more(slot);
  const follower = firstInForce(index, supersededBy, now);
  if (follower === LEADS_ELSEWHERE) return LEADS_ELSEWHERE;
  return {
    id: index.ids.textOf(slot),
    content: texts.content(slot),
    version: columns.versions[slot] ?? 0,
    category: index.categoryOf(slot),
    source: index.contentSourceOf(slot),
    createdAt: new Date(columns.created[slot] ?? 0),
    start: validFrom ?? new Date(columns.times[slot] ?? 0),
    isDistinct: validTo !== null || expiresAt !== null,
    key,
    metadata,
    supersededBy: follower?.id ?? null,
    supersededFrom: follower?.start ?? null,
  };
}

/** The first memory of a chain that has not expired; undefined where all have. */
function firstInForce(
  index: TenantIndex,
  first: string | null,
  now: Date,
): { readonly id: string; readonly start: Date } | typeof LEADS_ELSEWHERE | undefined {
  if (first === null) return undefined;
  const passed = new Set<string>();
  for (let id: string | null = first; id !== null && !passed.has(id); ) {
    passed.add(id);
    const slot = index.ids.slotOf(id);
    if (slot === undefined || index.columns.kinds[slot] === DELETED) return LEADS_ELSEWHERE;
    const { expiresAt, validFrom, supersededBy }: More = index.texts.more(slot);
    const start = validFrom ?? new Date(index.columns.times[slot] ?? 0);
    if (expiresAt === null || expiresAt > now) return { id, start };
    id = supersededBy;
  }
  return undefined;
}

/**
 * What an index needs of a new memory besides its row.
 *
 * @param hasVector Whether its vector is of the model whose vectors the index holds.
 */
export function toIndexing({ row, analysis }: IndexedRow, hasVector: boolean): Indexing {
  const { terms, vector } = analysis;
  const all = [...terms.terms.keys()];
  return {
    sketch: readSketch(row.sketch, row.id),
    source: [contentSourceOf(row), row.credentialId].filter((part) => part !== null).join(' '),
    terms: all,
    frequencies: [...terms.terms.values()],
    passages: terms.passages ? all.map((term) => terms.passages?.get(term) ?? []) : null,
    vector: hasVector ? (vector ?? null) : null,
  };
}
