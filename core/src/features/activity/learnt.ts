import {
  aliasedTable,
  and,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { activeFrom } from '../memory/chain.ts';
import type { Memory } from '../records/contract.ts';
import { toMemory } from '../records/row.ts';
import { memories, memoryVersions } from '../records/schema.ts';
import { showMemories } from '../visibility/show.ts';
import { readableThroughout, type View, viewOf } from '../visibility/view.ts';
import type { activityRoutes } from './contract.ts';
import { touchedSince } from './growth.ts';

type Period = ParsedOf<typeof activityRoutes.learnt>;

const isKnowledge = inArray(memories.type, ['core', 'semantic']);
const isDigest = sql`cardinality(${memories.derivedFrom}) > 0`;

/**
 * What was learnt in a period. Of what the agent withholds from its human, only how many hidden memories are left out: redacted
 * ones are counted among `stored`, and are in no list.
 */
export const learnt: Operation<typeof activityRoutes.learnt> = (context, period) =>
  context.read(async (tx) => {
    const view = await viewOf(tx, context);
    const stored = { core: 0, working: 0, episodic: 0, semantic: 0 };
    const byType = await tx
      .select({ type: memories.type, memories: count() })
      .from(memories)
      .where(and(createdIn(context, period), view.known))
      .groupBy(memories.type);
    for (const row of byType) stored[row.type] = row.memories;
    const readable = and(view.known, view.readable);
    const created = and(createdIn(context, period), readable, isKnowledge);
    const facts = await newest(tx, context, period, and(created, sql`NOT ${isDigest}`));
    const digests = await newest(tx, context, period, and(created, isDigest));
    const changed = await changedFacts(tx, context, period, view);
    const superseded = await supersededFacts(tx, context, period, view);
    return {
      stored,
      counts: {
        facts: facts.count,
        changed: changed.count,
        superseded: superseded.count,
        digests: digests.count,
      },
      facts: facts.list,
      changed: changed.list,
      superseded: superseded.list,
      digests: digests.list,
    };
  });

function createdIn({ tenantId }: Context, { since, until }: Period): SQL | undefined {
  const { createdAt } = memories;
  return and(touchedSince(tenantId, since), gte(createdAt, since), until && lte(createdAt, until));
}

function changedIn({ tenantId }: Context, { since, until }: Period): SQL | undefined {
  return and(touchedSince(tenantId, since), until && lte(memories.updatedAt, until), isKnowledge);
}

/** The number of all rows beside each row, so that a list and its count are one statement. */
const total = sql<number>`count(*) OVER ()::int`;

interface Counted<Item> {
  readonly count: number;
  readonly list: Item[];
}

async function newest(
  tx: Tx,
  context: Context,
  { limit }: Period,
  which: SQL | undefined,
): Promise<Counted<Memory>> {
  const found = await tx
    .select({ row: memories, total })
    .from(memories)
    .where(which)
    .orderBy(desc(memories.createdAt), desc(memories.id))
    .limit(limit);
  const list = await showMemories(
    tx,
    context,
    found.map(({ row }) => toMemory(row)),
  );
  return { count: found[0]?.total ?? 0, list };
}

/** Memories that were there when the period began and say something else now. What was ever withheld tells nothing. */
async function changedFacts(tx: Tx, context: Context, period: Period, view: View) {
  const { tenantId } = context;
  const before = memoryVersions;
  const lastBefore = sql`(SELECT max(version) FROM memory_versions earlier
    WHERE earlier.tenant_id = ${memories.tenantId} AND earlier.memory_id = ${memories.id}
      AND earlier.updated_at < ${timestamptz(period.since)})`;
  const found = await tx
    .select({ row: memories, before: before.content, total })
    .from(memories)
    .innerJoin(
      before,
      and(
        eq(before.tenantId, tenantId),
        eq(before.memoryId, memories.id),
        sql`${before.version} = ${lastBefore}`,
      ),
    )
    .where(
      and(
        changedIn(context, period),
        lt(memories.createdAt, period.since),
        ne(before.content, memories.content),
        view.known,
        readableThroughout(tenantId, view),
      ),
    )
    .orderBy(desc(memories.updatedAt), desc(memories.id))
    .limit(period.limit);
  const shown = await showMemories(
    tx,
    context,
    found.map(({ row }) => toMemory(row)),
  );
  const said = new Map(found.map(({ row, before: content }) => [row.id, content]));
  return {
    count: found[0]?.total ?? 0,
    list: shown.flatMap((memory) => {
      const content = said.get(memory.id);
      return content === undefined ? [] : [{ memory, before: content }];
    }),
  };
}

/** Memories whose place another took in the period, where the caller may read both. */
async function supersededFacts(tx: Tx, context: Context, period: Period, view: View) {
  const newer = aliasedTable(memories, 'newer');
  const readableIds = tx
    .select({ id: memories.id })
    .from(memories)
    .where(
      and(eq(memories.tenantId, context.tenantId), isNull(memories.archivedAt), view.known, view.readable),
    );
  const found = await tx
    .select({ row: memories, newer, total })
    .from(memories)
    .innerJoin(
      newer,
      and(
        eq(newer.tenantId, context.tenantId),
        eq(newer.id, activeFrom(context.tenantId, sql`${memories.supersededBy}`)),
      ),
    )
    .where(
      and(
        changedIn(context, period),
        isNotNull(memories.supersededBy),
        inArray(newer.id, readableIds),
        view.known,
        view.readable,
      ),
    )
    .orderBy(desc(memories.updatedAt), desc(memories.id))
    .limit(period.limit);
  const shown = await showMemories(
    tx,
    context,
    found.flatMap(({ row, newer: by }) => [toMemory(row), toMemory(by)]),
  );
  const byId = new Map(shown.map((memory) => [memory.id, memory]));
  return {
    count: found[0]?.total ?? 0,
    list: found.flatMap(({ row, newer: by }) => {
      const [memory, follower] = [byId.get(row.id), byId.get(by.id)];
      return memory && follower ? [{ memory, by: follower }] : [];
    }),
  };
}
