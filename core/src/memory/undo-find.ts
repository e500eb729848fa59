import { and, asc, eq, gte, ne, type SQL, sql } from 'drizzle-orm';
import type { Source } from '../contract/fields.ts';
import { uuids } from '../database/arrays.ts';
import { rows, type Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { restorableUntil } from './row.ts';
import { type MemoryRow, memories, memoryVersions } from './schema.ts';
import { type Remains, replay } from './undo-replay.ts';

/** Whose writings, since when. */
export interface Writings {
  readonly source: Source;
  readonly since: Date;
  readonly credentialId?: string;
}

/** A memory and what undoing would leave of it. */
export interface Plan {
  readonly row: MemoryRow;
  readonly remains: Remains;
}

/** The next memories, by id, that have a version of these writings which is not undone yet. */
export async function findWritten(
  tx: Tx,
  { tenantId }: Context,
  writings: Writings,
  after: string | undefined,
  most: number,
): Promise<string[]> {
  // Indexes memories_source and memory_versions_source.
  const found = await rows<{ id: string }>(
    tx,
    sql`SELECT id FROM (
          SELECT ${memories.id} AS id FROM ${memories}
          WHERE ${eq(memories.tenantId, tenantId)} AND ${isWritten(memories, writings)}
          UNION
          SELECT ${memoryVersions.memoryId} FROM ${memoryVersions}
          WHERE ${eq(memoryVersions.tenantId, tenantId)} AND ${isWritten(memoryVersions, writings)}
            AND NOT ${memoryVersions.undone}
        ) written
        WHERE ${after === undefined ? sql`true` : sql`id > ${after}::uuid`}
        ORDER BY id LIMIT ${most}::int`,
  );
  return found.map(({ id }) => id);
}

/** SQL for a version that belongs to these writings. */
export function isWritten(
  table: typeof memories | typeof memoryVersions,
  { source, since, credentialId }: Writings,
): SQL | undefined {
  return and(
    eq(table.source, source),
    gte(table.updatedAt, since),
    ne(table.change, 'undone'),
    credentialId === undefined ? undefined : eq(table.credentialId, credentialId),
  );
}

/**
 * What undoing would leave of some memories; erased ones and those whose 30 days are over are left out.
 *
 * @param lock Holds the memories until the transaction ends, in the order of their ids.
 */
export async function loadPlans(
  tx: Tx,
  { tenantId, now }: Context,
  writings: Writings,
  ids: readonly string[],
  { lock = false }: { lock?: boolean } = {},
): Promise<Plan[]> {
  const query = tx
    .select()
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), sql`${memories.id} = ANY(${uuids(ids)})`))
    .orderBy(asc(memories.id));
  const current = await (lock ? query.for('update') : query);
  const former = await tx
    .select()
    .from(memoryVersions)
    .where(and(eq(memoryVersions.tenantId, tenantId), sql`${memoryVersions.memoryId} = ANY(${uuids(ids)})`))
    .orderBy(asc(memoryVersions.memoryId), asc(memoryVersions.version));
  return current
    .filter(({ archivedAt }) => !archivedAt || restorableUntil(archivedAt) > now)
    .map((row) => {
      const versions = former.filter(({ memoryId }) => memoryId === row.id);
      const reviewed = [...versions, { ...row, undone: false }].map((version) => ({
        version,
        taken: version.undone || belongs(version, writings),
      }));
      return { row, remains: replay(reviewed) };
    });
}

function belongs(
  version: Omit<
    MemoryRow,
    'id' | 'createdAt' | 'length' | 'fingerprint' | 'derivedFrom' | 'echoes' | 'digestId'
  >,
  writings: Writings,
): boolean {
  return (
    version.change !== 'undone' &&
    version.source === writings.source &&
    version.updatedAt >= writings.since &&
    (writings.credentialId === undefined || version.credentialId === writings.credentialId)
  );
}
