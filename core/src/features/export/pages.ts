import { and, asc, eq, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { MEMORY_TYPES, type MemoryType } from '../../kernel/contract/fields.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { pinned, readVersions, type VersionRow } from '../records/read-versions.ts';
import { isFoundLink, type Link, optionalFields, startOf, toMemory } from '../records/row.ts';
import { type MemoryRow, memories, memoryVersions } from '../records/schema.ts';
import { REDACTED } from '../visibility/level.ts';
import { redactMemory, showLinks, showMemories, UNTOLD } from '../visibility/show.ts';
import { historyLevelsOf, viewOf } from '../visibility/view.ts';
import type { ExportedMemory, ExportedVersion } from './contract.ts';
import { type Moments, type Pin, type Snapshot, takeSnapshot } from './snapshot.ts';

/** Records of a page at most, and bytes of their texts; of a longer text a page of its own. */
const PAGE = 200;
const PAGE_BYTES = 1_048_576;

/** A part of an export, in the order of the document. */
export type ExportSection = MemoryType | 'archived' | 'history';
export const SECTIONS: readonly ExportSection[] = [...MEMORY_TYPES, 'archived', 'history'];

/** Some of what belongs into one section. */
export type Page =
  | { readonly section: Exclude<ExportSection, 'history'>; readonly records: readonly ExportedMemory[] }
  | { readonly section: 'history'; readonly records: readonly ExportedVersion[] };

/**
 * Everything an agent remembers at this moment, page by page; of each section at least one page, which may be empty. A
 * human gets what the agent shows them. What changes meanwhile is not in it; what is erased for good meanwhile is gone.
 * What held or was known at another moment comes without archive and history.
 */
export async function* exportPages(context: Context, moments: Moments): AsyncGenerator<Page> {
  const snapshot = await takeSnapshot(context, moments);
  for (const section of SECTIONS) {
    if (section === 'history') yield* historyPages(context, snapshot);
    else yield* memoryPages(context, snapshot, section);
  }
}

async function* memoryPages(
  context: Context,
  snapshot: Snapshot,
  section: Exclude<ExportSection, 'history'>,
): AsyncGenerator<Page> {
  for (const pins of pinPages(snapshot, section)) {
    if (pins.length === 0) yield { section, records: [] };
    const sizes = await context.read((tx) => textBytes(tx, context.tenantId, pins));
    for (let from = 0; from < pins.length; ) {
      const some = pins.slice(from, from + countWithin(sizes.slice(from)));
      from += some.length;
      yield { section, records: await context.read((tx) => readMemories(tx, context, snapshot, some)) };
    }
  }
}

/** How many of the first records fit into a page. */
function countWithin(sizes: readonly number[]): number {
  let bytes = 0;
  const beyond = sizes.findIndex((size) => {
    bytes += size;
    return bytes > PAGE_BYTES;
  });
  return beyond < 0 ? sizes.length : Math.max(1, beyond);
}

/** How long the texts are that are read for each pin: of the memory as it is now, and of the version. */
async function textBytes(tx: Tx, tenantId: string, pins: readonly Pin[]): Promise<number[]> {
  if (pins.length === 0) return [];
  const found = await rows<{ id: string; bytes: number }>(
    tx,
    sql`SELECT pin.id, octet_length(now.content) + coalesce(octet_length(former.content), 0) AS bytes
      FROM ${pinned(pins)} AS pin(id, version)
      JOIN ${memories} AS now ON now.tenant_id = ${tenantId}::uuid AND now.id = pin.id
      LEFT JOIN ${memoryVersions} AS former
        ON former.tenant_id = ${tenantId}::uuid AND former.memory_id = pin.id AND former.version = pin.version`,
  );
  const byId = new Map(found.map(({ id, bytes }) => [id, bytes]));
  return pins.map(({ id }) => byId.get(id) ?? 0);
}

/** The pins of a section, page by page; the last page may be empty. */
function* pinPages(snapshot: Snapshot, section: ExportSection): Generator<Pin[]> {
  let pins: Pin[];
  let from = 0;
  do {
    pins = snapshot.pins(section, from, PAGE);
    from += pins.length;
    yield pins;
  } while (pins.length === PAGE);
}

/**
 * Memories in the versions that are asked for, as the caller may see them; those that are not there any more are left
 * out.
 */
async function readMemories(
  tx: Tx,
  context: Context,
  { successors }: Snapshot,
  pins: readonly Pin[],
): Promise<ExportedMemory[]> {
  const { tenantId } = context;
  const view = await viewOf(tx, context);
  const current = await tx
    .select()
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        sql`${memories.id} = ANY(${uuids(pins.map(({ id }) => id))})`,
        view.known,
      ),
    );
  const byId = new Map(current.map((row) => [row.id, row]));
  const changed = pins.filter(({ id, version }) => byId.has(id) && byId.get(id)?.version !== version);
  const former = changed.length === 0 ? [] : await readVersions(tx, tenantId, changed);
  const formerById = new Map(former.map((row) => [row.memoryId, row]));
  const found = pins.flatMap(({ id, version }): MemoryRow[] => {
    const row = byId.get(id);
    if (!row || row.version === version) return row ? [row] : [];
    const before = formerById.get(id);
    return before ? [{ ...row, ...before }] : [];
  });
  // What it was may be withheld although what it is now is not.
  const level = await historyLevelsOf(tx, { tenantId, view }, [...formerById.keys()]);
  const linked = found.map((row) => ({ ...row, supersededBy: successors.get(row.id) ?? row.supersededBy }));
  const shown = await showMemories(tx, context, linked.map(toExported));
  return shown.flatMap((memory) => {
    if (!formerById.has(memory.id) || level(memory.id) === 'full') return [memory];
    return level(memory.id) === 'hidden' ? [] : [redactMemory(memory)];
  });
}

async function* historyPages(context: Context, snapshot: Snapshot): AsyncGenerator<Page> {
  yield { section: 'history', records: [] };
  for (const pins of pinPages(snapshot, 'history')) {
    let after: VersionRow | undefined;
    do {
      const last = after;
      const { versions, isLast, records } = await context.read(async (tx) => {
        const read = await readHistory(tx, context.tenantId, pins, last);
        return { ...read, records: await showVersions(tx, context, snapshot, { pins, ...read }) };
      });
      yield { section: 'history', records };
      after = isLast ? undefined : versions.at(-1);
    } while (after);
  }
}

/** Former versions as the caller may see them: none shows more than any other state of its memory. */
async function showVersions(
  tx: Tx,
  context: Context,
  snapshot: Snapshot,
  { pins, versions }: { readonly pins: readonly Pin[]; readonly versions: readonly VersionRow[] },
): Promise<ExportedVersion[]> {
  const reader = { tenantId: context.tenantId, view: await viewOf(tx, context) };
  const ids = versions.map(({ memoryId }) => memoryId);
  const level = await historyLevelsOf(tx, reader, ids);
  const last = reader.view.isFull
    ? new Map<string, number>()
    : await lastShown(tx, context, snapshot, { pins, ids });
  const shown = versions.flatMap((row) => {
    if (level(row.memoryId) === 'hidden' || row.version === last.get(row.memoryId)) return [];
    return level(row.memoryId) === 'full' ? [toVersion(row, snapshot)] : [toRedacted(row)];
  });
  return showLinks(tx, reader, shown);
}

/** The versions in which a caller sees memories, by id: these are no former ones. */
async function lastShown(
  tx: Tx,
  context: Context,
  snapshot: Snapshot,
  { pins, ids }: { readonly pins: readonly Pin[]; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  const asked = new Set(ids);
  const shown = await readMemories(
    tx,
    context,
    snapshot,
    pins.filter(({ id }) => asked.has(id)),
  );
  return new Map(shown.flatMap(({ id, content, version }) => (content === REDACTED ? [] : [[id, version]])));
}

/** A page of the versions that some memories had before the ones that are given. */
async function readHistory(
  tx: Tx,
  tenantId: string,
  pins: readonly Pin[],
  after: VersionRow | undefined,
): Promise<{ readonly versions: VersionRow[]; readonly isLast: boolean }> {
  const { memoryId, version, content } = memoryVersions;
  const isFormer = sql`EXISTS (SELECT 1 FROM ${pinned(pins)} AS pin(id, version)
    WHERE pin.id = ${memoryId} AND ${version} < pin.version)`;
  const wanted = and(
    eq(memoryVersions.tenantId, tenantId),
    sql`${memoryId} = ANY(${uuids(pins.map(({ id }) => id))})`,
    isFormer,
    after && sql`(${memoryId}, ${version}) > (${after.memoryId}::uuid, ${after.version}::int)`,
  );
  // Index: the primary key.
  const order = [asc(memoryId), asc(version)];
  const sizes = await tx
    .select({ bytes: sql<number>`octet_length(${content})` })
    .from(memoryVersions)
    .where(wanted)
    .orderBy(...order)
    .limit(PAGE);
  const count = countWithin(sizes.map(({ bytes }) => bytes));
  const versions = await tx
    .select()
    .from(memoryVersions)
    .where(wanted)
    .orderBy(...order)
    .limit(count);
  return { versions, isLast: sizes.length < PAGE && count === sizes.length };
}

function toExported(row: MemoryRow): ExportedMemory {
  return {
    ...toMemory(row),
    ...originsOf(row),
    ...(row.change === 'created' ? {} : { change: row.change }),
  };
}

function toVersion(row: VersionRow, snapshot: Snapshot): ExportedVersion {
  const { source, credentialId, agentId, sessionId, archivedAt, updatedAt, occurredAt } = row;
  const { supersededBy, mergedInto } = row;
  const { memoryId, version, change, type, content, category, key, tags, importance } = row;
  return {
    memory_id: memoryId,
    ...{ version, change, type, content, category, key, tags, importance },
    at: updatedAt.toISOString(),
    occurred_at: occurredAt.toISOString(),
    valid_from: startOf(row).toISOString(),
    ...optionalFields(row),
    source: { kind: source, credential_id: credentialId, ...(agentId && { agent_id: agentId }) },
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(supersededBy === null ? {} : { superseded_by: supersededBy }),
    ...originsOf(row),
    ...(mergedInto === null ? {} : { merged_into: mergedInto }),
    ...(archivedAt === null ? {} : { archived_at: archivedAt.toISOString() }),
    ...(snapshot.undone({ id: memoryId, version }) ? { undone: true as const } : {}),
  };
}

/** Of a link that somebody stated an export says no more: so do links of earlier releases. */
function originsOf(row: Link & Pick<MemoryRow, 'contentSource'>) {
  const { supersededBasis, contentSource } = row;
  return {
    ...(isFoundLink(row) && supersededBasis ? { superseded_basis: supersededBasis } : {}),
    ...(contentSource === null ? {} : { content_source: contentSource }),
  };
}

/** A former version of which only type and dates are told. */
function toRedacted({ memoryId, version, type, updatedAt, occurredAt }: VersionRow): ExportedVersion {
  return {
    memory_id: memoryId,
    version,
    change: version === 1 ? 'created' : 'updated',
    type,
    ...UNTOLD,
    at: updatedAt.toISOString(),
    occurred_at: occurredAt.toISOString(),
    source: { kind: 'agent', credential_id: null },
  };
}
