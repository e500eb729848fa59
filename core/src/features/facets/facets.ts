import { and, desc, type SQL, sql } from 'drizzle-orm';
import { type Context, contextsOf, type Operation } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { OutputOf, ParsedOf } from '../../kernel/contract/route.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { matchesFilters } from '../recall/filters.ts';
import { memories } from '../records/schema.ts';
import { viewOf } from '../visibility/view.ts';
import { FACET_MEMORIES, type Facet, type facetRoutes, NAME_MEMORIES } from './contract.ts';
import { createNameCount } from './names.ts';

type Facets = OutputOf<typeof facetRoutes.memoryFacets>;
type Asked = ParsedOf<typeof facetRoutes.memoryFacets>;

/** Characters of each memory that are read for names, and memories of one statement. */
const READ_CHARACTERS = 1_000;
const PAGE = 250;

/** What the caller's memories can be filtered by. All of it is what redaction withholds, so only readable ones count. */
export const memoryFacets: Operation<typeof facetRoutes.memoryFacets> = (context, asked) =>
  context.read(async (tx) => {
    const view = await viewOf(tx, context);
    const filters = { types: asked.type && [asked.type] };
    const places = contextsOf(context).map(({ tenantId }) =>
      matchesFilters(tenantId, filters, and(view.known, view.readable)),
    );
    return {
      ...(await countFacets(tx, places, asked)),
      names: await countNames(tx, context, places, asked.limit),
    };
  });

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
async function countNames(tx: Tx, context: Context, places: readonly SQL[], limit: number): Promise<Facet[]> {
  const names = createNameCount();
  const most = Math.floor(NAME_MEMORIES / places.length);
  for (const place of places) {
    for await (const text of newestTexts(tx, context, place, most)) names.add(text);
  }
  return names.most(limit);
}

async function* newestTexts(tx: Tx, { options }: Context, place: SQL, most: number): AsyncGenerator<string> {
  const { occurredAt, id } = memories;
  let last: { readonly at: Date; readonly id: string } | undefined;
  for (let read = 0; read < most; read += PAGE) {
    options.signal?.throwIfAborted();
    const after =
      last && sql`(${occurredAt}, ${id}) < (${last.at.toISOString()}::timestamptz, ${last.id}::uuid)`;
    const page = await tx
      .select({ id, at: occurredAt, text: sql<string>`left(${memories.content}, ${READ_CHARACTERS})` })
      .from(memories)
      .where(and(place, after))
      .orderBy(desc(occurredAt), desc(id))
      .limit(Math.min(PAGE, most - read));
    for (const { text } of page) {
      await yieldToEventLoop();
      yield text;
    }
    last = page.at(-1);
    if (page.length < PAGE) return;
  }
}
