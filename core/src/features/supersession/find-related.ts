import { sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { MemoryType, Source } from '../../kernel/contract/fields.ts';
import { listText, quotedListText } from '../../kernel/database/arrays.ts';
import { compileStatement } from '../../kernel/database/compiled-statement.ts';
import type { DocumentTerms } from '../../text/analyze-document.ts';
import { commonnessOf, isTrigram, termOf } from '../../text/terms.ts';
import { memories } from '../records/schema.ts';
import { memoryTerms } from '../search-index/schema.ts';
import { currentView, levelsOf } from '../visibility/view.ts';
import { wordsOfRelations } from './relations.ts';
import { shareMost } from './share-most.ts';

/** A stored memory that shares words with a new one. */
export interface StoredFact {
  readonly id: string;
  readonly content: string;
  readonly version: number;
  readonly category: string | null;
  /** Who wrote it. */
  readonly source: Source;
  /** When it was stored. */
  readonly createdAt: Date;
  /** When it begins to hold. */
  readonly start: Date;
  /** Whether it has fields by which it is another than what says the same: it ends by itself, or expires. */
  readonly isDistinct: boolean;
  readonly supersededBy: string | null;
  /** When what supersedes it begins to hold; null where nothing in force does. */
  readonly supersededFrom: Date | null;
}

/** A new memory whose kin is looked for. */
export interface NewFact {
  readonly type: MemoryType;
  readonly analysis: DocumentTerms;
}

/** Terms looked up, the rarest first, and those of other words for the same. */
const MOST_TERMS = 6;
const MOST_OTHERS = 12;
/** Memories of one term, the newest first: of few new facts more than of many. */
const OF_ONE_TERM = { few: 60, many: 15 };
const FEW = 10;
/** Terms that two facts share at least. Of a short one the subject may be all: "our landlord is Mr. Petrov". */
const LEAST_SHARED = 2;
const SHORT = 4;
const MOST_RELATED = 12;
/** In words. Longer memories hold no single fact, and only those of the same length say the same. */
const LONGEST = 150;

/**
 * For each of some new facts the active memories of its type that share the most telling words with it, best first. The terms
 * of all facts are looked up by one statement; where memories share some, these are read by another.
 */
export async function findRelated(context: Context, facts: readonly NewFact[]): Promise<StoredFact[][]> {
  if (facts.length === 0) return [];
  const asked = facts.map(({ analysis }) => lookUp(analysis.terms.keys()));
  const holding = await memoriesHolding(context, asked);
  const near = asked.map((terms) => nearestIds(terms, holding));
  const ids = [...new Set(near.flat())];
  if (ids.length === 0) return facts.map(() => []);
  const known = await readFacts(context, ids);
  return facts.map(({ type, analysis: { length } }, place) =>
    (near[place] ?? []).flatMap((id) => {
      const found = known.get(id);
      const isComparable = found?.type === type && (found.length <= LONGEST || found.length === length);
      return isComparable ? [found.fact] : [];
    }),
  );
}

/** What is looked up of one fact. */
interface LookUp {
  readonly own: readonly string[];
  /** Other words for what it says of its subject: "lives" where it says "moved". */
  readonly others: readonly string[];
}

function lookUp(terms: Iterable<string>): LookUp {
  const commonness = (text: string) => commonnessOf({ text, kind: 'word' });
  const all = [...terms].filter((term) => !isTrigram(term));
  const others = new Set(all.flatMap((term) => wordsForTheSame().get(term) ?? []));
  for (const term of all) others.delete(term);
  const own = all.sort((a, b) => commonness(a) - commonness(b)).slice(0, MOST_TERMS);
  return { own, others: [...others].slice(0, MOST_OTHERS) };
}

let sameWords: ReadonlyMap<string, readonly string[]> | undefined;

/** By the term of a word, the terms of others for the same relation. */
function wordsForTheSame(): ReadonlyMap<string, readonly string[]> {
  if (sameWords) return sameWords;
  const found = new Map<string, readonly string[]>();
  for (const words of wordsOfRelations()) {
    const terms = [...new Set(words.map((text) => termOf({ text, kind: 'word' })))];
    for (const term of terms) found.set(term, terms);
  }
  sameWords = found;
  return found;
}

type Holding = ReadonlyMap<string, readonly string[]>;

/** Ids of memories by the terms that they hold, the newest of each. */
async function memoriesHolding({ database, tenantId }: Context, asked: readonly LookUp[]): Promise<Holding> {
  const terms = [...new Set(asked.flatMap(({ own, others }) => [...own, ...others]))];
  const most = asked.length > FEW ? OF_ONE_TERM.many : OF_ONE_TERM.few;
  const [rows = []] = await database.batch(tenantId, [
    holdingTerms({ tenantId, terms: quotedListText(terms), most }),
  ]);
  const found = rows as readonly { readonly term: string; readonly ids: readonly string[] }[];
  return new Map(found.map(({ term, ids }) => [term, ids]));
}

/** The memories that share most with a fact. All other words for the same count as one term. */
function nearestIds({ own, others }: LookUp, holding: Holding): string[] {
  const idsOf = (term: string) => holding.get(term) ?? [];
  const holders = [...own.map(idsOf), [...new Set(others.flatMap(idsOf))]];
  return shareMost(holders, {
    least: others.length > 0 || own.length <= SHORT ? 1 : LEAST_SHARED,
    most: MOST_RELATED,
    ties: (one, other) => (one < other ? 1 : -1),
  });
}

interface KnownFact {
  readonly type: MemoryType;
  readonly length: number;
  readonly fact: StoredFact;
}

/** The active memories of these ids that the caller may read. */
async function readFacts(context: Context, ids: readonly string[]): Promise<ReadonlyMap<string, KnownFact>> {
  const { database, tenantId, now, read } = context;
  const view = await currentView(context);
  const parameters = { tenantId, now: now.toISOString(), ids: listText(ids) };
  const [found = []] = await database.batch(tenantId, [factsById(parameters)]);
  const level = view.isFull ? () => 'full' : await read((tx) => levelsOf(tx, { tenantId, view }, ids));
  const known = new Map<string, KnownFact>();
  for (const row of found as readonly RelatedRow[]) {
    const { type, length, start, superseded_from, limited, superseded_by, created_at, ...fact } = row;
    if (level(row.id) !== 'full') continue;
    const times = {
      createdAt: new Date(created_at),
      start: new Date(start),
      supersededFrom: superseded_from === null ? null : new Date(superseded_from),
    };
    known.set(row.id, {
      type,
      length,
      fact: { ...fact, ...times, isDistinct: limited, supersededBy: superseded_by },
    });
  }
  return known;
}

interface RelatedRow {
  readonly id: string;
  readonly type: MemoryType;
  readonly length: number;
  readonly content: string;
  readonly version: number;
  readonly category: string | null;
  readonly source: Source;
  readonly created_at: string;
  readonly start: string;
  readonly limited: boolean;
  readonly superseded_by: string | null;
  readonly superseded_from: string | null;
}

/** Index: the primary key of the terms, read backwards. */
const holdingTerms = compileStatement<{ tenantId: string; terms: string; most: number }>(
  (param) => sql`SELECT asked.term, held.ids FROM unnest(${param('terms')}::text[]) AS asked (term)
    CROSS JOIN LATERAL (SELECT json_agg(memory_id) AS ids FROM (
      SELECT memory_id FROM ${memoryTerms}
      WHERE tenant_id = ${param('tenantId')}::uuid AND term = asked.term
      ORDER BY memory_id DESC LIMIT ${param('most')}::int) AS newest) AS held
    WHERE held.ids IS NOT NULL`,
);

const factsById = compileStatement<Record<'tenantId' | 'now' | 'ids', string>>((param) => {
  const own = sql`tenant_id = ${param('tenantId')}::uuid`;
  const isUnexpired = (table: string) => {
    const column = sql.raw(`${table}.expires_at`);
    return sql`(${column} IS NULL OR ${column} > ${param('now')}::timestamptz)`;
  };
  return sql`SELECT memory.id, memory.type, memory.length, memory.content, memory.version, memory.category, memory.source,
      memory.created_at, coalesce(memory.valid_from, memory.occurred_at) AS start,
      memory.valid_to IS NOT NULL OR memory.expires_at IS NOT NULL AS limited,
      memory.superseded_by, coalesce(newer.valid_from, newer.occurred_at) AS superseded_from
    FROM ${memories} AS memory
    LEFT JOIN LATERAL (SELECT * FROM ${memories} WHERE ${own} AND id = memory.superseded_by
      AND archived_at IS NULL OFFSET 0) AS newer ON ${isUnexpired('newer')}
    WHERE memory.${own} AND memory.id = ANY(${param('ids')}::uuid[]) AND memory.archived_at IS NULL
      AND ${isUnexpired('memory')}`;
});
