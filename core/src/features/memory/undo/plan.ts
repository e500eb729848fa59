import { and, asc, eq, gte, ne, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../../kernel/context/context.ts';
import { rows, type Tx } from '../../../kernel/database/database.ts';
import { uuids } from '../../../kernel/database/parameters.ts';
import { contentSourceOf, fieldsOf, type Link, restorableUntil } from '../../records/row.ts';
import { type MemoryRow, memories, memoryVersions } from '../../records/schema.ts';
import { historyLevelsOf, viewOf } from '../../visibility/view.ts';
import type { Writings } from '../change-policy.ts';
import { type Remains, replay } from './replay.ts';

/** A memory and what undoing would leave of it. */
export interface UndoPlan {
  readonly row: MemoryRow;
  readonly remains: Remains;
}

/** Memories of one transaction: the embedded database does nothing else meanwhile. */
export const UNDONE_AT_ONCE = 100;

/** The next memories, by id, that have a version of these writings which is not undone yet. */
export async function findWritten(
  tx: Tx,
  { tenantId }: Context,
  writings: Writings,
  after: string | undefined,
): Promise<string[]> {
  // Indexes memories_updated and memory_versions_source.
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
        ORDER BY id LIMIT ${UNDONE_AT_ONCE}::int`,
  );
  return found.map(({ id }) => id);
}

/** SQL for a version that belongs to these writings. */
export function isWritten(
  table: typeof memories | typeof memoryVersions,
  { source, since, credentialId, agentId }: Writings,
): SQL | undefined {
  return and(
    eq(table.source, source),
    gte(table.updatedAt, since),
    ne(table.change, 'undone'),
    credentialId === undefined ? undefined : eq(table.credentialId, credentialId),
    agentId === undefined ? undefined : eq(table.agentId, agentId),
  );
}

/**
 * What undoing would leave of some memories; erased ones, those whose 30 days are over and what is withheld from the
 * caller are left out.
 *
 * @param lock Holds the memories until the transaction ends, in the order of their ids.
 */
export async function loadPlans(
  tx: Tx,
  context: Context,
  writings: Writings,
  ids: readonly string[],
  lock: { lock?: boolean } = {},
): Promise<readonly UndoPlan[]> {
  const plans = await replayAll(tx, context, writings, ids, lock);
  return withoutWithheld(tx, context, await closeGaps(tx, context, writings, plans));
}

/** Tells the histories of some memories again. */
async function replayAll(
  tx: Tx,
  { tenantId, now }: Context,
  writings: Writings,
  ids: readonly string[],
  { lock = false }: { lock?: boolean } = {},
): Promise<readonly UndoPlan[]> {
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

/**
 * Closes the gaps that undone memories leave in chains: what others said in place of an undone memory supersedes what that
 * had superseded.
 */
async function closeGaps(
  tx: Tx,
  context: Context,
  writings: Writings,
  plans: readonly UndoPlan[],
): Promise<readonly UndoPlan[]> {
  const known = new Map<string, Remains>();
  let next = plans.map(({ remains }) => remains);
  for (;;) {
    const wanted = next.flatMap(({ releasedFrom }) => releasedFrom ?? []).filter((id) => !known.has(id));
    if (wanted.length === 0) break;
    const loaded = await replayAll(tx, context, writings, wanted);
    for (const { row, remains } of loaded) known.set(row.id, remains);
    next = loaded.map(({ remains }) => remains).filter(({ isGone }) => isGone);
  }
  return plans.map(({ row, remains }) => {
    // Where nothing is left of a fact, its place in the chain stays: who reads passes over it, and its former place may lead back
    // to what has come before it since.
    const keeps = remains.isGone && row.supersededBasis !== 'stated';
    const link = keeps ? linkOf(row) : standingLink(remains, known);
    return { row, remains: { ...remains, fields: { ...remains.fields, ...link } } };
  });
}

/** What supersedes a memory once all is undone. */
function standingLink(remains: Remains, known: ReadonlyMap<string, Remains>): Link {
  const passed = new Set<Remains>();
  let gone: Remains | undefined = remains;
  while (gone && !passed.has(gone) && gone.releasedFrom !== null) {
    passed.add(gone);
    const from = known.get(gone.releasedFrom);
    gone = from?.isGone ? from : undefined;
  }
  return linkOf(gone?.fields.supersededBy ? gone.fields : remains.fields);
}

function linkOf({ supersededBy, supersededBasis }: Link): Link {
  return { supersededBy, supersededBasis };
}

/** The same as `isWritten`, of a version that was read. */
function belongs(
  version: Pick<MemoryRow, 'change' | 'source' | 'updatedAt' | 'credentialId' | 'agentId'>,
  writings: Writings,
): boolean {
  return (
    version.change !== 'undone' &&
    version.source === writings.source &&
    version.updatedAt >= writings.since &&
    (writings.credentialId === undefined || version.credentialId === writings.credentialId) &&
    (writings.agentId === undefined || version.agentId === writings.agentId)
  );
}

/**
 * What of some plans a caller may carry out: nothing on hidden memories; of redacted ones, they may archive them. Undoing
 * a change could make visible what was withheld by it, and a key that a memory had may belong to a withheld one now. Links
 * to withheld memories stay: a change of them would tell that there are such memories.
 */
async function withoutWithheld(
  tx: Tx,
  context: Context,
  plans: readonly UndoPlan[],
): Promise<readonly UndoPlan[]> {
  const view = await viewOf(tx, context);
  if (view.isFull) return plans;
  const ids = plans.flatMap(({ row: { id, supersededBy, mergedInto } }) => [
    id,
    ...[supersededBy, mergedInto].filter((linked) => linked !== null),
  ]);
  const level = await historyLevelsOf(tx, { tenantId: context.tenantId, view }, ids);
  return plans.flatMap(({ row, remains }) => {
    if (level(row.id) === 'hidden') return [];
    if (remains.archived && !row.archivedAt) return [{ row, remains: asItIs(row) }];
    if (level(row.id) === 'redacted') return [];
    if (!remains.archived && row.archivedAt && remains.fields.key !== null) return [];
    const seenLink = (link: 'supersededBy' | 'mergedInto') => {
      const linked = row[link];
      return linked !== null && level(linked) !== 'full' ? linked : remains.fields[link];
    };
    const supersededBy = seenLink('supersededBy');
    const { supersededBasis } = supersededBy === remains.fields.supersededBy ? remains.fields : row;
    const links = { supersededBy, supersededBasis, mergedInto: seenLink('mergedInto') };
    return [{ row, remains: { ...remains, fields: { ...remains.fields, ...links, key: row.key } } }];
  });
}

/** Archives a memory and changes nothing else of it. */
function asItIs(row: UndoPlan['row']): Remains {
  const { sessionId, supersededBy, supersededBasis, mergedInto } = row;
  const fields = { ...fieldsOf(row), sessionId, supersededBy, supersededBasis, mergedInto };
  return { archived: true, isGone: true, releasedFrom: null, contentSource: contentSourceOf(row), fields };
}
