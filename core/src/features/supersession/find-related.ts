import { sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { MemoryType, Source } from '../../kernel/contract/fields.ts';
import { chunksOf } from '../../kernel/database/arrays.ts';
import { compileStatement } from '../../kernel/database/compiled-statement.ts';
import type { DocumentTerms } from '../../text/analyze-document.ts';
import { commonnessOf, isTrigram, termOf } from '../../text/terms.ts';
import { memories } from '../records/schema.ts';
import { memoryTerms } from '../search-index/schema.ts';
import { currentView, levelsOf } from '../visibility/view.ts';
import { wordsOfRelations } from './relations.ts';

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
const MOST_TERMS = 8;
const MOST_OTHERS = 12;
/** Memories of one term, the newest first: of few new facts more than of many. So many facts are looked up by one statement. */
export const OF_ONE_TERM = { few: 60, many: 15 };
const FEW = 10;
/** Terms that two facts share at least. A rare one is enough, and of a short fact any: "our landlord is Mr. Petrov". */
const LEAST_SHARED = 2;
const SHORT = 4;
/** So many hold a rare term at most. */
export const RARE = 8;
export const MOST_RELATED = 8;
/** In words. Longer memories hold no single fact, and only those of the same length say the same. */
const LONGEST = 150;

/**
 * For each of some new facts the active memories of its type that share the most telling words with it, best first: one wait
 * for the database, however many facts there are.
 */
export async function findRelated(context: Context, facts: readonly NewFact[]): Promise<StoredFact[][]> {
  const related = facts.map((): StoredFact[] => []);
  if (facts.length === 0) return related;
  const { database, tenantId, now } = context;
  const most = facts.length > FEW ? OF_ONE_TERM.many : OF_ONE_TERM.few;
  const statements = chunksOf([...facts.entries()], FEW).map((chunk) => {
    const asked = JSON.stringify(
      chunk.flatMap(([place, { analysis }]) => lookUp(place, analysis.terms.keys())),
    );
    return kin({ tenantId, now: now.toISOString(), asked, most });
  });
  const [answers, mayRead] = await Promise.all([database.batch(tenantId, statements), readableBy(context)]);
  const rows = (answers as readonly (readonly RelatedRow[])[]).flat();
  const isReadable = await mayRead(rows.map(({ id }) => id));
  for (const row of rows) {
    const fact = facts[row.fact];
    if (fact && isComparable(fact, row) && isReadable(row.id)) related[row.fact]?.push(toStoredFact(row));
  }
  return related;
}

/** A term to look up. Terms of one group count as one. */
interface AskedTerm {
  /** The place of the fact. */
  readonly fact: number;
  readonly group: number;
  readonly term: string;
  /** Terms of this fact that another shares at least. */
  readonly least: number;
}

function lookUp(fact: number, terms: Iterable<string>): AskedTerm[] {
  const { own, others, least } = termsToLookUp(terms);
  return [
    ...own.map((term, group) => ({ fact, group, term, least })),
    ...others.map((term) => ({ fact, group: MOST_TERMS, term, least })),
  ];
}

/** What the kin of a fact is looked up by. */
interface LookedUp {
  /** Its rarest terms. */
  readonly own: readonly string[];
  /** Other words for what it says, which count as one term: "lives" where it says "moved". */
  readonly others: readonly string[];
  /** How many of the terms another shares at least. */
  readonly least: number;
}

export function termsToLookUp(terms: Iterable<string>): LookedUp {
  const all = [...terms].filter((term) => !isTrigram(term));
  const others = new Set(all.flatMap((term) => wordsForTheSame().get(term) ?? []));
  for (const term of all) others.delete(term);
  const own = all
    .map((term) => ({ term, commonness: commonnessOf({ text: term, kind: 'word' }) }))
    .sort((a, b) => a.commonness - b.commonness)
    .slice(0, MOST_TERMS)
    .map(({ term }) => term);
  const least = others.size > 0 || own.length <= SHORT ? 1 : LEAST_SHARED;
  return { own, others: [...others].slice(0, MOST_OTHERS), least };
}

/** Whether a memory may be kin of a fact by what it is. */
export function isComparable(
  fact: NewFact,
  { type, length }: { readonly type: MemoryType; readonly length: number },
): boolean {
  return type === fact.type && (length <= LONGEST || length === fact.analysis.length);
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

/** Tells which memories the caller may read. */
async function readableBy(
  context: Context,
): Promise<(ids: readonly string[]) => Promise<(id: string) => boolean>> {
  const view = await currentView(context);
  if (view.isFull) return async () => () => true;
  return async (ids) => {
    const level = await context.read((tx) => levelsOf(tx, { tenantId: context.tenantId, view }, ids));
    return (id) => level(id) === 'full';
  };
}

interface RelatedRow {
  /** The place of the fact that it is related to. */
  readonly fact: number;
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

function toStoredFact(row: RelatedRow): StoredFact {
  const { id, content, version, category, source } = row;
  return {
    ...{ id, content, version, category, source },
    createdAt: new Date(row.created_at),
    start: new Date(row.start),
    isDistinct: row.limited,
    supersededBy: row.superseded_by,
    supersededFrom: row.superseded_from === null ? null : new Date(row.superseded_from),
  };
}

/**
 * The memories that share the most terms with each fact, rarer terms counting more, newer memories first among equals. Index:
 * the primary key of the terms, read backwards.
 */
const kin = compileStatement<{ tenantId: string; now: string; asked: string; most: number }>((param) => {
  const own = sql`tenant_id = ${param('tenantId')}::uuid`;
  const isUnexpired = (table: string) => {
    const column = sql.raw(`${table}.expires_at`);
    return sql`(${column} IS NULL OR ${column} > ${param('now')}::timestamptz)`;
  };
  return sql`WITH holders AS (
      SELECT DISTINCT asked.fact, asked."group", asked.least, newest.memory_id
      FROM json_to_recordset(${param('asked')}::json) AS asked (fact int, "group" int, term text, least int)
      CROSS JOIN LATERAL (SELECT memory_id FROM ${memoryTerms} WHERE ${own} AND term = asked.term
        ORDER BY memory_id DESC LIMIT ${param('most')}::int) AS newest
    ), weighted AS (
      SELECT fact, least, memory_id, 1.0::float8 / (1 + count(*) OVER (PARTITION BY fact, "group")) AS weight FROM holders
    ), sharing AS (
      SELECT fact, memory_id, row_number() OVER (PARTITION BY fact ORDER BY sum(weight) DESC, memory_id DESC) AS place
      FROM weighted GROUP BY fact, least, memory_id
      HAVING count(*) >= least OR max(weight) >= 1.0::float8 / (1 + ${sql.raw(String(RARE))})
    )
    SELECT sharing.fact, memory.id, memory.type, memory.length, memory.content, memory.version, memory.category,
      memory.source, memory.created_at, coalesce(memory.valid_from, memory.occurred_at) AS start,
      memory.valid_to IS NOT NULL OR memory.expires_at IS NOT NULL AS limited,
      memory.superseded_by, coalesce(newer.valid_from, newer.occurred_at) AS superseded_from
    FROM sharing
    CROSS JOIN LATERAL (SELECT * FROM ${memories} WHERE ${own} AND id = sharing.memory_id
      AND archived_at IS NULL OFFSET 0) AS memory
    LEFT JOIN LATERAL (SELECT * FROM ${memories} WHERE ${own} AND id = memory.superseded_by
      AND archived_at IS NULL OFFSET 0) AS newer ON ${isUnexpired('newer')}
    WHERE sharing.place <= ${sql.raw(String(MOST_RELATED))} AND ${isUnexpired('memory')}
    ORDER BY sharing.fact, sharing.place`;
});
