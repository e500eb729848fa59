import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { MEMORY_TYPES, type MemoryType } from '../contract/fields.ts';
import { uuids } from '../database/arrays.ts';
import { rows, type Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { toMemory } from '../memory/row.ts';
import { type MemoryRow, memories, memoryVersions } from '../memory/schema.ts';
import { levelOf, redact, strictest } from '../visibility/conceal.ts';
import type { VisibilitySettings } from '../visibility/contract.ts';
import { loadVisibility } from '../visibility/settings.ts';
import type { ExportedMemory, ExportedVersion } from './contract.ts';

const PAGE = 200;

/** A part of an export, in the order of the document. */
export type Section = MemoryType | 'archived' | 'history';
export const SECTIONS: readonly Section[] = [...MEMORY_TYPES, 'archived', 'history'];

/** Some of what belongs into one section. */
export type Page =
  | { readonly section: Exclude<Section, 'history'>; readonly records: readonly ExportedMemory[] }
  | { readonly section: 'history'; readonly records: readonly ExportedVersion[] };

/**
 * Everything an agent remembers, page by page; of each section at least one page, which may be empty. A human gets what
 * the agent shows them. Each page is a snapshot of its own: what changes meanwhile is in it or not.
 */
export async function* exportPages(context: Context): AsyncGenerator<Page> {
  const settings =
    context.actor.source === 'human'
      ? await context.read((tx) => loadVisibility(tx, context.tenantId))
      : undefined;
  for (const section of SECTIONS) {
    if (section === 'history') yield* historyPages(context, settings);
    else yield* memoryPages(context, section, settings);
  }
}

async function* memoryPages(
  context: Context,
  section: Exclude<Section, 'history'>,
  settings: VisibilitySettings | undefined,
): AsyncGenerator<Page> {
  let after: MemoryRow | undefined;
  do {
    const last = after;
    const found = await context.read((tx) => readMemories(tx, context, section, last));
    yield { section, records: found.flatMap((row) => show(toExported(row), settings) ?? []) };
    after = found.length < PAGE ? undefined : found.at(-1);
  } while (after);
}

function readMemories(
  tx: Tx,
  { tenantId }: Context,
  section: Exclude<Section, 'history'>,
  after: MemoryRow | undefined,
): Promise<MemoryRow[]> {
  const own = eq(memories.tenantId, tenantId);
  // Indexes memories_type_time and, for the archived, the primary key.
  const [where, beyond, order]: [SQL | undefined, SQL | undefined, SQL[]] =
    section === 'archived'
      ? [isNotNull(memories.archivedAt), after && sql`${memories.id} > ${after.id}::uuid`, [asc(memories.id)]]
      : [
          and(eq(memories.type, section), isNull(memories.archivedAt)),
          after &&
            sql`(${memories.occurredAt}, ${memories.id}) > (${after.occurredAt.toISOString()}::timestamptz, ${after.id}::uuid)`,
          [asc(memories.occurredAt), asc(memories.id)],
        ];
  return tx
    .select()
    .from(memories)
    .where(and(own, where, beyond))
    .orderBy(...order)
    .limit(PAGE);
}

async function* historyPages(
  context: Context,
  settings: VisibilitySettings | undefined,
): AsyncGenerator<Page> {
  const { tenantId } = context;
  let after: VersionRow | undefined;
  do {
    const last = after;
    const beyond =
      last &&
      sql`(${memoryVersions.memoryId}, ${memoryVersions.version}) > (${last.memoryId}::uuid, ${last.version}::int)`;
    const { found, levels } = await context.read(async (tx) => {
      const page = await tx
        .select()
        .from(memoryVersions)
        .where(and(eq(memoryVersions.tenantId, tenantId), beyond))
        .orderBy(asc(memoryVersions.memoryId), asc(memoryVersions.version))
        .limit(PAGE);
      return { found: page, levels: settings && (await loadLevels(tx, context, page, settings)) };
    });
    const records = found.flatMap((row) => {
      const level = levels?.get(row.memoryId) ?? (levels ? 'hidden' : 'full');
      if (level === 'hidden') return [];
      return level === 'full' ? [toVersion(row)] : [redact(toVersion(row))];
    });
    yield { section: 'history', records };
    after = found.length < PAGE ? undefined : found.at(-1);
  } while (after);
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

function toVersion(row: VersionRow): ExportedVersion {
  const { source, credentialId, sessionId, archivedAt, updatedAt, occurredAt } = row;
  const { supersededBy, mergedInto } = row;
  const { memoryId, version, change, type, content, category, key, tags, importance, undone } = row;
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
    ...(undone ? { undone: true as const } : {}),
  };
}
