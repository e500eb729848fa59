import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { firstOfChain } from '../records/first-of-chain.ts';
import { inOrderOfTime, startOf } from '../records/row.ts';
import { type MemoryRow, memories, memoryVersions } from '../records/schema.ts';

/** Links of a chain that a statement follows. */
export const MOST_LINKS = 1_000;

/**
 * Lets one call at a time link memories of a tenant that are there: two at once could close a circle of memories that supersede
 * each other, of which none would hold. Comes before any other lock.
 */
export function lockChains(tx: Tx, { tenantId }: Context): Promise<void> {
  return lockName(tx, tenantId, 'supersedes');
}

/** Ids of a memory and of those that supersede it, one after the other. Index: the primary key. */
export async function chainFrom(
  tx: Tx,
  { tenantId }: Context,
  id: string | null,
): Promise<ReadonlySet<string>> {
  if (id === null) return new Set();
  const chain = await rows<{ id: string }>(
    tx,
    // A union without duplicates: it also ends where there is a circle.
    sql`WITH RECURSIVE chain(id) AS (
        SELECT ${id}::uuid
        UNION SELECT superseded_by FROM chain JOIN ${memories} AS memory USING (id)
        WHERE tenant_id = ${tenantId}::uuid AND superseded_by IS NOT NULL
      ) SELECT id FROM chain`,
  );
  return new Set(chain.map((link) => link.id));
}

/**
 * The circles of memories that would supersede each other once some of them have the links that are planned: none of a circle would
 * hold. `lockChains` must be called before. Index: the primary key.
 *
 * @param planned By id, what is to supersede the memory.
 */
export async function circlesWith(
  tx: Tx,
  { tenantId }: Context,
  planned: ReadonlyMap<string, string | null>,
): Promise<readonly (readonly string[])[]> {
  const first = [...planned.values()].filter((id) => id !== null && !planned.has(id)) as string[];
  const stored =
    first.length === 0
      ? []
      : await rows<{ id: string; next: string | null }>(
          tx,
          sql`WITH RECURSIVE chain(id, next) AS (
              SELECT id, superseded_by FROM ${memories} AS first
              WHERE first.tenant_id = ${tenantId}::uuid AND first.id = ANY(${uuids(first)})
              UNION SELECT newer.id, newer.superseded_by FROM chain JOIN ${memories} AS newer
                ON newer.tenant_id = ${tenantId}::uuid AND newer.id = chain.next
            ) SELECT id, next FROM chain`,
        );
  return circlesOf(new Map([...stored.map(({ id, next }) => [id, next] as const), ...planned]));
}

/**
 * The circles among links.
 *
 * @param links By id, what supersedes the memory.
 */
export function circlesOf(links: ReadonlyMap<string, string | null>): string[][] {
  const passed = new Set<string>();
  const circles: string[][] = [];
  for (const first of links.keys()) {
    const path = new Set<string>();
    let next: string | null = first;
    while (next !== null && !passed.has(next)) {
      passed.add(next);
      path.add(next);
      next = links.get(next) ?? null;
    }
    if (next === null || !path.has(next)) continue;
    const way = [...path];
    circles.push(way.slice(way.indexOf(next)));
  }
  return circles;
}

/** Of each circle, the memory that begins last, whose link is taken out of it: then that one holds. */
export function lastOfCircles(
  circles: readonly (readonly string[])[],
  byId: ReadonlyMap<string, Pick<MemoryRow, 'id' | 'validFrom' | 'occurredAt'>>,
): ReadonlySet<string> {
  const last = circles.flatMap((circle) =>
    inOrderOfTime(
      circle.flatMap((id) => byId.get(id) ?? []),
      startOf,
    ).slice(-1),
  );
  return new Set(last.map(({ id }) => id));
}

/**
 * The first memory of a chain that is active, from one of them on; null where none is. A link stays as it was stated also when the
 * memory that it leads to is archived: whoever reads it follows it to what is in force.
 */
export async function firstActive(tx: Tx, { tenantId }: Context, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const [active] = await rows<{ id: string }>(
    tx,
    sql`SELECT ${activeFrom(tenantId, sql`${id}::uuid`)} AS id`,
  );
  return active?.id ?? null;
}

/**
 * The id of the first memory of a chain that is active, from one of them on, as an expression; null where none is. Index: the
 * primary key.
 */
export function activeFrom(tenantId: string, id: SQL): SQL<string | null> {
  const counts = sql`newer.archived_at IS NULL`;
  return sql<
    string | null
  >`(SELECT id FROM (${firstOfChain({ tenant: sql`${tenantId}::uuid`, first: id, counts })}) AS active)`;
}

/**
 * A query for the memories whose place some others took, archived ones included, each with the one that took it: those that lead to
 * it, at once or over archived ones. Index memories_superseded.
 */
export function replacedBy(tenantId: string, ids: readonly string[]): SQL {
  const tenant = sql`tenant_id = ${tenantId}::uuid`;
  return sql`WITH RECURSIVE replaced(by, id, archived_at) AS (
      SELECT superseded_by, id, archived_at FROM ${memories} AS older
      WHERE older.${tenant} AND older.superseded_by = ANY(${uuids(ids)})
      UNION SELECT replaced.by, older.id, older.archived_at FROM replaced JOIN ${memories} AS older
        ON older.${tenant} AND older.superseded_by = replaced.id
      WHERE replaced.archived_at IS NOT NULL
    ) SELECT by, id FROM replaced`;
}

/**
 * Lets what some memories superseded that are to be erased be superseded by what follows them, now and in former versions: no link
 * leads on from what is gone. `lockChains` must be called before. Indexes memories_superseded and memory_versions_superseded.
 */
export async function closeGaps(tx: Tx, { tenantId }: Context, erased: readonly string[]): Promise<void> {
  const tenant = sql`tenant_id = ${tenantId}::uuid`;
  const successor = sql`WITH RECURSIVE follower(erased, id) AS (
      SELECT id, superseded_by FROM ${memories} AS first
      WHERE first.${tenant} AND first.id = ANY(${uuids(erased)}) AND first.superseded_by IS NOT NULL
      UNION SELECT follower.erased, gone.superseded_by FROM follower JOIN ${memories} AS gone
        ON gone.${tenant} AND gone.id = follower.id
      WHERE gone.id = ANY(${uuids(erased)}) AND gone.superseded_by IS NOT NULL
    ) SELECT erased, id FROM follower WHERE id <> ALL(${uuids(erased)})`;
  // Versions after the memories that they are of: until then somebody else may make one.
  await tx.execute(sql`UPDATE ${memories} AS older SET superseded_by = successor.id FROM (${successor}) AS successor
    WHERE older.${tenant} AND older.superseded_by = successor.erased AND older.id <> successor.id`);
  await tx.execute(sql`UPDATE ${memoryVersions} AS older SET superseded_by = successor.id FROM (${successor}) AS successor
    WHERE older.${tenant} AND older.superseded_by = successor.erased AND older.memory_id <> successor.id`);
}
