import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { MEMORY_TYPES, type MemoryType } from '../contract/fields.ts';
import { integers, uuids } from '../database/arrays.ts';
import { rows, type Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { toMemory } from '../memory/row.ts';
import { type MemoryRow, memories, memoryVersions } from '../memory/schema.ts';
import { levelOf, redact, strictest } from '../visibility/conceal.ts';
import type { VisibilitySettings } from '../visibility/contract.ts';
import { loadVisibility } from '../visibility/settings.ts';
import type { ExportedMemory, ExportedVersion } from './contract.ts';
import { type Pin, type Snapshot, takeSnapshot } from './snapshot.ts';

const PAGE = 200;

/** A part of an export, in the order of the document. */
export type Section = MemoryType | 'archived' | 'history';
export const SECTIONS: readonly Section[] = [...MEMORY_TYPES, 'archived', 'history'];

/** Some of what belongs into one section. */
export type Page =
  | { readonly section: Exclude<Section, 'history'>; readonly records: readonly ExportedMemory[] }
  | { readonly section: 'history'; readonly records: readonly ExportedVersion[] };

/**
 * Everything an agent remembers at this moment, page by page; of each section at least one page, which may be empty. A
 * human gets what the agent shows them. What changes meanwhile is not in it; what is erased for good meanwhile is gone.
 */
export async function* exportPages(context: Context): AsyncGenerator<Page> {
  const settings =
    context.actor.source === 'human'
      ? await context.read((tx) => loadVisibility(tx, context.tenantId))
      : undefined;
  const snapshot = await takeSnapshot(context);
  for (const section of SECTIONS) {
    if (section === 'history') yield* historyPages(context, snapshot, settings);
    else yield* memoryPages(context, snapshot, section, settings);
  }
}

async function* memoryPages(
  context: Context,
  snapshot: Snapshot,
  section: Exclude<Section, 'history'>,
  settings: VisibilitySettings | undefined,
): AsyncGenerator<Page> {
  for (const pins of pinPages(snapshot, section)) {
    const found = pins.length === 0 ? [] : await context.read((tx) => readMemories(tx, context, pins));
    yield { section, records: found.flatMap((row) => show(toExported(row), settings) ?? []) };
  }
}

/** The pins of a section, page by page; the last page may be empty. */
function* pinPages(snapshot: Snapshot, section: Section): Generator<Pin[]> {
  let pins: Pin[];
  let from = 0;
  do {
    pins = snapshot.pins(section, from, PAGE);
    from += pins.length;
    yield pins;
  } while (pins.length === PAGE);
}

/** Pins as rows of a table. */
function pinned(pins: readonly Pin[]): SQL {
  return sql`unnest(${uuids(pins.map(({ id }) => id))}, ${integers(pins.map(({ version }) => version))})`;
}

/** Memories in the versions that are asked for; those that are not there any more are left out. */
async function readMemories(tx: Tx, { tenantId }: Context, pins: readonly Pin[]): Promise<MemoryRow[]> {
  const current = await tx
    .select()
    .from(memories)
    .where(
      and(eq(memories.tenantId, tenantId), sql`${memories.id} = ANY(${uuids(pins.map(({ id }) => id))})`),
    );
  const byId = new Map(current.map((row) => [row.id, row]));
  const changed = pins.filter(({ id, version }) => byId.has(id) && byId.get(id)?.version !== version);
  const former = changed.length === 0 ? [] : await readVersions(tx, tenantId, changed);
  const formerById = new Map(former.map((row) => [row.memoryId, row]));
  return pins.flatMap(({ id, version }) => {
    const row = byId.get(id);
    if (!row || row.version === version) return row ?? [];
    const before = formerById.get(id);
    return before ? { ...row, ...before } : [];
  });
}

function readVersions(tx: Tx, tenantId: string, pins: readonly Pin[]): Promise<VersionRow[]> {
  return tx
    .select()
    .from(memoryVersions)
    .where(
      and(
        eq(memoryVersions.tenantId, tenantId),
        sql`(${memoryVersions.memoryId}, ${memoryVersions.version}) IN (SELECT * FROM ${pinned(pins)})`,
      ),
    );
}

async function* historyPages(
  context: Context,
  snapshot: Snapshot,
  settings: VisibilitySettings | undefined,
): AsyncGenerator<Page> {
  yield { section: 'history', records: [] };
  for (const pins of pinPages(snapshot, 'history')) {
    let after: VersionRow | undefined;
    do {
      const last = after;
      const { found, levels } = await context.read(async (tx) => {
        const versions = await readHistory(tx, context.tenantId, pins, last);
        return { found: versions, levels: settings && (await loadLevels(tx, context, versions, settings)) };
      });
      const records = found.flatMap((row) => {
        const level = levels?.get(row.memoryId) ?? (levels ? 'hidden' : 'full');
        if (level === 'hidden') return [];
        const version = toVersion(row, snapshot);
        return level === 'full' ? [version] : [redact(version)];
      });
      yield { section: 'history', records };
      after = found.length < PAGE ? undefined : found.at(-1);
    } while (after);
  }
}

/** Versions that some memories had before the ones that are given. */
function readHistory(
  tx: Tx,
  tenantId: string,
  pins: readonly Pin[],
  after: VersionRow | undefined,
): Promise<VersionRow[]> {
  const { memoryId, version } = memoryVersions;
  const isFormer = sql`EXISTS (SELECT 1 FROM ${pinned(pins)} AS pin(id, version)
    WHERE pin.id = ${memoryId} AND ${version} < pin.version)`;
  // Index: the primary key.
  return tx
    .select()
    .from(memoryVersions)
    .where(
      and(
        eq(memoryVersions.tenantId, tenantId),
        sql`${memoryId} = ANY(${uuids(pins.map(({ id }) => id))})`,
        isFormer,
        after && sql`(${memoryId}, ${version}) > (${after.memoryId}::uuid, ${after.version}::int)`,
      ),
    )
    .orderBy(asc(memoryId), asc(version))
    .limit(PAGE);
}

type VersionRow = typeof memoryVersions.$inferSelect;

/** What a human may see of memories, judged by all states each ever had. */
async function loadLevels(
  tx: Tx,
  { tenantId }: Context,
  page: readonly VersionRow[],
  settings: VisibilitySettings,
) {
  const ids = uuids([...new Set(page.map(({ memoryId }) => memoryId))]);
  const states = await rows<{
    id: string;
    type: string;
    category: string | null;
    tags: string[];
    derived_from: string[];
  }>(
    tx,
    sql`SELECT id, type, category, tags, derived_from FROM ${memories} WHERE tenant_id = ${tenantId} AND id = ANY(${ids})
        UNION SELECT memory_id, type, category, tags, '{}'::uuid[] FROM ${memoryVersions}
        WHERE tenant_id = ${tenantId} AND memory_id = ANY(${ids})`,
  );
  const levels = new Map<string, ReturnType<typeof levelOf>>();
  for (const state of states) {
    const level = levelOf(settings, state);
    levels.set(state.id, strictest([level, levels.get(state.id) ?? level]));
  }
  return levels;
}

function show(memory: ExportedMemory, settings: VisibilitySettings | undefined): ExportedMemory | undefined {
  const level = settings ? levelOf(settings, memory) : 'full';
  if (level === 'hidden') return undefined;
  return level === 'full' ? memory : redact(memory);
}

function toExported(row: MemoryRow): ExportedMemory {
  return { ...toMemory(row), ...(row.change === 'created' ? {} : { change: row.change }) };
}

function toVersion(row: VersionRow, snapshot: Snapshot): ExportedVersion {
  const { source, credentialId, sessionId, archivedAt, updatedAt, occurredAt } = row;
  const { supersededBy, mergedInto } = row;
  const { memoryId, version, change, type, content, category, key, tags, importance } = row;
  return {
    memory_id: memoryId,
    ...{ version, change, type, content, category, key, tags, importance },
    at: updatedAt.toISOString(),
    occurred_at: occurredAt.toISOString(),
    source: { kind: source, credential_id: credentialId },
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(supersededBy === null ? {} : { superseded_by: supersededBy }),
    ...(mergedInto === null ? {} : { merged_into: mergedInto }),
    ...(archivedAt === null ? {} : { archived_at: archivedAt.toISOString() }),
    ...(snapshot.undone({ id: memoryId, version }) ? { undone: true as const } : {}),
  };
}
