import { and, desc, type SQL, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
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
    const own = matchesFilters(context.tenantId, filters, and(view.known, view.readable));
    return { ...(await countFacets(tx, own, asked)), names: await countNames(tx, context, own, asked.limit) };
  });

interface CountRow {
  readonly facet: 'tags' | 'categories' | 'sources' | 'sessions';
  readonly value: string;
  readonly memories: number;
  readonly last_at: string;
}

/** One statement over the newest memories; index memories_time, or memories_type_time. */
async function countFacets(tx: Tx, own: SQL, { limit }: Asked): Promise<Omit<Facets, 'names'>> {
  const counted = (facet: CountRow['facet'], value: string, from = 'own', order = 'memories') =>
    sql.raw(`(SELECT '${facet}' AS facet, ${value} AS value, count(*)::int AS memories, max(occurred_at) AS last_at
      FROM ${from} WHERE ${value} IS NOT NULL GROUP BY 2 ORDER BY ${order} DESC, value LIMIT ${limit})`);
  const found = await rows<CountRow>(
    tx,
    sql`WITH own AS MATERIALIZED (
        SELECT tags, category, source, session_id, occurred_at FROM ${memories} WHERE ${own}
        ORDER BY ${memories.occurredAt} DESC, ${memories.id} DESC LIMIT ${FACET_MEMORIES})
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
async function countNames(tx: Tx, { options }: Context, own: SQL, limit: number): Promise<Facet[]> {
  const { occurredAt, id } = memories;
  const names = createNameCount();
  let last: { readonly at: Date; readonly id: string } | undefined;
  for (let read = 0; read < NAME_MEMORIES; read += PAGE) {
    options.signal?.throwIfAborted();
    const after =
      last && sql`(${occurredAt}, ${id}) < (${last.at.toISOString()}::timestamptz, ${last.id}::uuid)`;
    const page = await tx
      .select({ id, at: occurredAt, text: sql<string>`left(${memories.content}, ${READ_CHARACTERS})` })
      .from(memories)
      .where(and(own, after))
      .orderBy(desc(occurredAt), desc(id))
      .limit(PAGE);
    for (const { text } of page) {
      await yieldToEventLoop();
      names.add(text);
    }
    last = page.at(-1);
    if (page.length < PAGE) break;
  }
  return names.most(limit);
}
