import { and, desc, type SQL, sql } from 'drizzle-orm';
import { type Context, contextsOf, type Operation } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { OutputOf, ParsedOf } from '../../kernel/contract/route.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { matchesFilters } from '../recall/filters.ts';
import { memories } from '../records/schema.ts';
import { type View, viewOf } from '../visibility/view.ts';
import { FACET_MEMORIES, type Facet, type facetRoutes, NAME_MEMORIES } from './contract.ts';
import { createNameCount } from './names.ts';

type Facets = OutputOf<typeof facetRoutes.memoryFacets>;
type Asked = ParsedOf<typeof facetRoutes.memoryFacets>;

/** Characters of each memory that are read for names, and memories of one statement. */
const READ_CHARACTERS = 1_000;
const PAGE = 250;

/**
 * What the caller's memories can be filtered by. All of it is what redaction withholds, so only readable ones count.
 *
 * Names are looked for between transactions: nobody else can use the embedded database while one is open.
 */
export const memoryFacets: Operation<typeof facetRoutes.memoryFacets> = async (context, asked) => {
  const facets = await context.read(async (tx) => {
    const view = await viewOf(tx, context);
    const places = contextsOf(context).map(({ tenantId }) => readableIn(tenantId, asked, view));
    return countFacets(tx, places, asked);
  });
  return { ...facets, names: await countNames(context, asked) };
};

/** The memories of a place that count. */
function readableIn(tenantId: string, { type }: Asked, { known, readable }: View): SQL {
  return matchesFilters(tenantId, { types: type && [type] }, and(known, readable));
}

interface CountRow {
  readonly facet: 'tags' | 'categories' | 'sources' | 'sessions';
  readonly value: string;
  readonly memories: number;
  readonly last_at: string;
}

/** One statement over the newest memories of each place; index memories_time, or memories_type_time. */
async function countFacets(tx: Tx, places: readonly SQL[], { limit }: Asked): Promise<Omit<Facets, 'names'>> {
  const newest = places.map(
    (place) => sql`(SELECT tags, category, source, session_id, occurred_at FROM ${memories} WHERE ${place}
        ORDER BY ${memories.occurredAt} DESC, ${memories.id} DESC LIMIT ${Math.floor(FACET_MEMORIES / places.length)})`,
  );
  const counted = (facet: CountRow['facet'], value: string, from = 'own', order = 'memories') =>
    sql.raw(`(SELECT '${facet}' AS facet, ${value} AS value, count(*)::int AS memories, max(occurred_at) AS last_at
      FROM ${from} WHERE ${value} IS NOT NULL GROUP BY 2 ORDER BY ${order} DESC, value LIMIT ${limit})`);
  const found = await rows<CountRow>(
    tx,
    sql`WITH own AS MATERIALIZED (${sql.join(newest, sql` UNION ALL `)})
      ${counted('tags', 'tag', 'own, unnest(tags) AS tag')}
      UNION ALL ${counted('categories', 'category')}
      UNION ALL ${counted('sources', 'source')}
      UNION ALL ${counted('sessions', 'session_id', 'own', 'last_at')}`,
  );
  const of = (name: CountRow['facet']) => found.filter(({ facet }) => facet === name);
  const plain = ({ value, memories: count }: CountRow): Facet => ({ value, memories: count });
  return {
    tags: of('tags').map(plain),
    categories: of('categories').map(plain),
    sources: of('sources').map((row) => ({ ...plain(row), value: row.value as Source })),
    sessions: of('sessions').map((row) => ({ ...plain(row), last_at: new Date(row.last_at).toISOString() })),
  };
}

/** Names in the newest memories, read a page at a time, so that other calls come in between. */
async function countNames(context: Context, asked: Asked): Promise<Facet[]> {
  const names = createNameCount();
  const places = contextsOf(context);
  const most = Math.floor(NAME_MEMORIES / places.length);
  for (const { tenantId } of places) {
    for await (const text of newestTexts(context, { ...asked, tenantId, most })) names.add(text);
  }
  return names.most(asked.limit);
}

interface Newest extends Asked {
  /** Whose they are: the agent's own, or of a space. */
  readonly tenantId: string;
  readonly most: number;
}

async function* newestTexts(context: Context, newest: Newest): AsyncGenerator<string> {
  let last: NewestText | undefined;
  for (let read = 0; read < newest.most; read += PAGE) {
    context.options.signal?.throwIfAborted();
    const page = await readPage(context, newest, { after: last, size: Math.min(PAGE, newest.most - read) });
    for (const { text } of page) {
      await yieldToEventLoop();
      yield text;
    }
    last = page.at(-1);
    if (page.length < PAGE) return;
  }
}

interface NewestText {
  readonly at: Date;
  readonly id: string;
  readonly text: string;
}

/** In a transaction of its own; what the caller may read is asked anew in each. */
function readPage(
  context: Context,
  newest: Newest,
  { after, size }: { readonly after: NewestText | undefined; readonly size: number },
): Promise<NewestText[]> {
  const { occurredAt, id } = memories;
  const behind = after && sql`(${occurredAt}, ${id}) < (${timestamptz(after.at)}, ${after.id}::uuid)`;
  return context.read(async (tx) =>
    tx
      .select({ id, at: occurredAt, text: sql<string>`left(${memories.content}, ${READ_CHARACTERS})` })
      .from(memories)
      .where(and(readableIn(newest.tenantId, newest, await viewOf(tx, context)), behind))
      .orderBy(desc(occurredAt), desc(id))
      .limit(size),
  );
}
