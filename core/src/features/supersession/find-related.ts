import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { MemoryType, Source } from '../../kernel/contract/fields.ts';
import { isoText } from '../../kernel/database/columns.ts';
import { compileStatement } from '../../kernel/database/compiled-statement.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { chunksOf } from '../../kernel/database/parameters.ts';
import { awaitInOrder } from '../../kernel/runtime/waiting.ts';
import { ANALYSIS_VERSION, type DocumentTerms } from '../../text/analyze-document.ts';
import { commonnessOf, isTrigram, termOf } from '../../text/terms.ts';
import { firstOfChain } from '../records/first-of-chain.ts';
import { memories } from '../records/schema.ts';
import { LONGEST_FACT } from '../search-index/fact-type.ts';
import { memoryTerms } from '../search-index/schema.ts';
import { currentView, levelsOf, viewOf } from '../visibility/view.ts';
import { wordsOfRelations } from './fact/relations.ts';
import type { Filed } from './subject-fields.ts';

/** A stored memory that shares words with a new one. */
export interface StoredFact extends Filed {
  readonly id: string;
  readonly content: string;
  readonly version: number;
  readonly category: string | null;
  /** Who said it. */
  readonly source: Source;
  /** When it was stored. */
  readonly createdAt: Date;
  /** When it begins to hold. */
  readonly start: Date;
  /** Whether it has fields by which it is another than what says the same: it ends by itself, or expires. */
  readonly isDistinct: boolean;
  /** The first memory in force that its links lead to; null: it holds. */
  readonly supersededBy: string | null;
  /** When that begins to hold. */
  readonly supersededFrom: Date | null;
}

/** A new memory of which related ones are sought. */
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
/** Where more hold a term than are looked up, nobody counts how many: so many times as many are taken for granted. */
export const UNSEEN = 10;
/** Weights are whole numbers of this size, so that their sums are the same in whatever order they are added: nothing else decides a tie. */
export const WEIGHT_SCALE = 1e9;
/** What a number weighs beside a word that as many hold: it mostly is what is said, not of whom. */
const NUMBER_SHARE = 0.25;
/** Terms that two facts share at least. A rare one is enough, and of a short fact any: "our landlord is Mr. Petrov". */
const LEAST_SHARED = 2;
const SHORT = 4;
/** So many hold a rare term at most. */
export const RARE = 8;
export const MOST_RELATED = 8;
/**
 * The best so many holders of each term are related besides: where many others have the value that a fact takes on, what is
 * said of its subject still is.
 */
export const OF_EACH_TERM = 2;

/**
 * For each of some new facts the active memories of its type that share the most telling words with it, best first: one wait
 * for the database, however many facts there are. For a fact of more than `LONGEST_FACT` words, those of the same length: they
 * may say the same.
 *
 * @param tx The transaction that asks; default: none, which asks the database by itself.
 */
export async function findRelated(
  context: Context,
  facts: readonly NewFact[],
  tx?: Tx,
): Promise<StoredFact[][]> {
  const found = facts.map((): StoredFact[] => []);
  if (facts.length === 0) return found;
  const { database, tenantId, now } = context;
  const most = facts.length > FEW ? OF_ONE_TERM.many : OF_ONE_TERM.few;
  const statements = chunksOf([...facts.entries()], FEW).map((chunk) => {
    const asked = JSON.stringify(chunk.flatMap(([place, fact]) => lookUp(place, fact)));
    return related({ tenantId, now: now.toISOString(), asked, most });
  });
  const answering = tx
    ? awaitInOrder(statements.map((statement) => rows(tx, statement)))
    : database.batch(tenantId, statements);
  const [answers, mayRead] = await awaitInOrder([answering, readableBy(context, tx)]);
  const all = (answers as readonly (readonly RelatedRow[])[]).flat();
  const isReadable = await mayRead(
    all.flatMap(({ id, superseded_by: by }) => (by === null ? [id] : [id, by])),
  );
  for (const row of all) {
    const fact = facts[row.fact];
    if (!fact || !isReadable(row.id)) continue;
    const stored = toStoredFact(row);
    // To whom its successor is withheld, it holds: otherwise it would tell of that.
    const isWithheld = stored.supersededBy !== null && !isReadable(stored.supersededBy);
    found[row.fact]?.push(isWithheld ? { ...stored, supersededBy: null, supersededFrom: null } : stored);
  }
  return found;
}

/** A term to look up. Terms of one group count as one. */
interface AskedTerm {
  /** The place of the fact. */
  readonly fact: number;
  readonly type: MemoryType;
  /** Of a fact that is too long to be compared but with those of the same length, its length in words. */
  readonly length: number | undefined;
  readonly group: number;
  readonly term: string;
  /** What it weighs beside others that as many hold. */
  readonly share: number;
  /** Terms of this fact that another shares at least. */
  readonly least: number;
}

function lookUp(fact: number, { type, analysis }: NewFact): AskedTerm[] {
  const { own, others, least } = termsToLookUp(analysis.terms.keys());
  const length = isShort(analysis) ? undefined : analysis.length;
  return [
    ...own.map((term, group) => ({ fact, type, length, group, term, share: shareOf(term), least })),
    ...others.map((term) => ({ fact, type, length, group: MOST_TERMS, term, share: 1, least })),
  ];
}

export function shareOf(term: string): number {
  return /^\d+$/.test(term) ? NUMBER_SHARE : 1;
}

/** What related facts are looked up by. */
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

/** Whether a fact may be compared with others by what it says. */
function isShort({ length }: DocumentTerms): boolean {
  return length <= LONGEST_FACT;
}

/** Whether a memory may be related to a fact by what it is. */
export function isComparable(
  { type, analysis }: NewFact,
  other: { readonly type: MemoryType; readonly length: number },
): boolean {
  const isOfLength = isShort(analysis) ? other.length <= LONGEST_FACT : other.length === analysis.length;
  return other.type === type && isOfLength;
}

let sameWords: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * By the term of a word, the terms of others for the same relation. A memory's words stand under their stems in its language, those of
 * a few words that do not show it under English ones.
 */
function wordsForTheSame(): ReadonlyMap<string, readonly string[]> {
  if (sameWords) return sameWords;
  const found = new Map<string, readonly string[]>();
  for (const { language, words } of wordsOfRelations()) {
    const inOwn = words.map((text) => termOf({ text, kind: 'word' }, language));
    const terms = [...new Set([...inOwn, ...words.map((text) => termOf({ text, kind: 'word' }))])];
    // Languages share some words.
    for (const term of terms) found.set(term, [...new Set([...(found.get(term) ?? []), ...terms])]);
  }
  sameWords = found;
  return found;
}

/** Tells which memories the caller may read. */
async function readableBy(
  context: Context,
  tx: Tx | undefined,
): Promise<(ids: readonly string[]) => Promise<(id: string) => boolean>> {
  const view = tx ? await viewOf(tx, context) : await currentView(context);
  if (view.isFull) return async () => () => true;
  return async (ids) => {
    const levels = (reading: Tx) => levelsOf(reading, { tenantId: context.tenantId, view }, ids);
    const level = await (tx ? levels(tx) : context.read(levels));
    return (id) => level(id) === 'full';
  };
}

interface RelatedRow {
  /** The place of the fact that it is related to. */
  readonly fact: number;
  readonly id: string;
  readonly content: string;
  readonly version: number;
  readonly category: string | null;
  readonly source: Source;
  readonly created_at: string;
  readonly start: string;
  readonly limited: boolean;
  readonly key: string | null;
  readonly metadata: Record<string, unknown> | null;
  readonly superseded_by: string | null;
  readonly superseded_from: string | null;
}

function toStoredFact(row: RelatedRow): StoredFact {
  const { id, content, version, category, source, key, metadata } = row;
  return {
    ...{ id, content, version, category, source, key, metadata },
    createdAt: new Date(row.created_at),
    start: new Date(row.start),
    isDistinct: row.limited,
    supersededBy: row.superseded_by,
    supersededFrom: row.superseded_from === null ? null : new Date(row.superseded_from),
  };
}

/**
 * The memories that share the most terms with each fact, rarer terms counting more, newer memories first among equals. Indexes:
 * memory_terms_facts, and for long facts the primary key of the terms, both read backwards; memories_outdated, memories_expiring. Sums are made by
 * windows: the planner takes such clauses for few rows each, and would join them by comparing all.
 */
const related = compileStatement<{ tenantId: string; now: string; asked: string; most: number }>((param) => {
  const own = sql`tenant_id = ${param('tenantId')}::uuid`;
  // What an earlier release indexed says nothing of facts until it is analysed anew: till then its words alone are looked up.
  const isOutdated = sql`SELECT FROM ${memories}
    WHERE ${own} AND analysis < ${sql.raw(String(ANALYSIS_VERSION))} AND archived_at IS NULL`;
  const isOfLength = sql`CASE WHEN related.length IS NULL THEN memory.length <= ${sql.raw(String(LONGEST_FACT))}
    ELSE memory.length = related.length END`;
  // By the primary key alone: for active ones the planner may choose an index that holds all of these, till it has statistics.
  const byId = (id: SQL) => sql`SELECT * FROM ${memories} WHERE ${own} AND id = ${id} OFFSET 0`;
  const follower = firstOfChain({
    tenant: sql`${param('tenantId')}::uuid`,
    first: sql`memory.superseded_by`,
    counts: sql`newer.archived_at IS NULL
      AND (newer.expires_at IS NULL OR newer.expires_at > ${param('now')}::timestamptz)`,
  });
  // What has expired and is not archived yet would take the places of what holds.
  const newest = sql`AND memory_id NOT IN (SELECT id FROM expired) ORDER BY memory_id DESC LIMIT ${param('most')}::int`;
  return sql`WITH expired AS MATERIALIZED (
      SELECT id FROM ${memories} WHERE ${own} AND archived_at IS NULL AND expires_at <= ${param('now')}::timestamptz
    ), asked AS (
      SELECT * FROM json_to_recordset(${param('asked')}::json)
        AS asked (fact int, type text, length int, "group" int, term text, share float8, least int)
    ), holders AS (
      SELECT fact, type, length, "group", share, least, memory_id FROM asked
      CROSS JOIN LATERAL (SELECT memory_id FROM ${memoryTerms}
        WHERE ${own} AND term = asked.term AND fact_type = asked.type ${newest}) AS newest
      WHERE length IS NULL
      UNION
      SELECT fact, type, length, "group", share, least, memory_id FROM asked
      CROSS JOIN LATERAL (SELECT memory_id FROM ${memoryTerms} WHERE ${own} AND term = asked.term ${newest}) AS newest
      WHERE length IS NOT NULL OR EXISTS (${isOutdated})
    ), weighted AS (
      SELECT *, floor(${sql.raw(String(WEIGHT_SCALE))}::float8 * share
        / (1 + held * CASE WHEN held < ${param('most')}::int THEN 1 ELSE ${sql.raw(String(UNSEEN))} END)) AS weight
      FROM (SELECT *, count(*) OVER (PARTITION BY fact, "group") AS held FROM holders) AS counted
    ), sharing AS (
      SELECT *, dense_rank() OVER (PARTITION BY fact ORDER BY total DESC, memory_id DESC) AS place
      FROM (
        SELECT *, sum(weight) OVER same AS total, count(*) OVER same AS shared, min(held) OVER same AS rarest
        FROM weighted WINDOW same AS (PARTITION BY fact, memory_id)
      ) AS counted
      WHERE shared >= least OR rarest <= ${sql.raw(String(RARE))}
    ), holding AS (
      SELECT *, row_number() OVER (PARTITION BY fact, "group" ORDER BY place) AS of_term FROM sharing
    ), related AS (
      SELECT DISTINCT fact, type, length, memory_id, place FROM holding
      WHERE place <= ${sql.raw(String(MOST_RELATED))} OR of_term <= ${sql.raw(String(OF_EACH_TERM))}
    )
    SELECT related.fact, memory.id, memory.content, memory.version, memory.category,
      coalesce(memory.content_source, memory.source) AS source, ${isoText(sql`memory.created_at`)} AS created_at,
      ${isoText(sql`coalesce(memory.valid_from, memory.occurred_at)`)} AS start,
      memory.valid_to IS NOT NULL OR memory.expires_at IS NOT NULL AS limited,
      memory.key, memory.metadata, newer.id AS superseded_by, ${isoText(sql`newer.start`)} AS superseded_from
    FROM related
    CROSS JOIN LATERAL (${byId(sql`related.memory_id`)}) AS memory
    LEFT JOIN LATERAL (${follower}) AS newer ON true
    WHERE memory.archived_at IS NULL AND memory.type = related.type AND ${isOfLength}
    ORDER BY related.fact, related.place`;
});
