import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import { uuids } from '../database/arrays.ts';
import type { Tx } from '../database/database.ts';
import { guardianEntries, isPending } from '../guardian/schema.ts';
import { toMemory } from '../memory/row.ts';
import { memories } from '../memory/schema.ts';
import type { Entry } from './section.ts';

const MOST_PENDING = 200;

/** Which memories, and in which order of importance. */
export interface Selection {
  readonly where: SQL | undefined;
  readonly order: readonly SQL[];
  readonly most: number;
  /** Code points of content to load, for entries that are cut anyway; default: all. */
  readonly contentLength?: number;
}

/** Entries in the order asked for, and how many memories there are in all. */
export interface Loaded {
  readonly entries: readonly Entry[];
  readonly total: number;
}

/** Loads the first active memories of a selection. */
export async function loadEntries(tx: Tx, tenantId: string, selection: Selection): Promise<Loaded> {
  if (selection.most <= 0) return { entries: [], total: 0 };
  // Ids first, so that contents are read only of the few that are chosen.
  const chosen = await tx
    .select({ id: memories.id, total: sql<number>`(count(*) OVER ())::int` })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), isNull(memories.archivedAt), selection.where))
    .orderBy(...selection.order)
    .limit(selection.most);
  const ids = chosen.map(({ id }) => id);
  return {
    entries: await loadByIds(tx, tenantId, ids, selection.contentLength),
    total: chosen[0]?.total ?? 0,
  };
}

/**
 * Loads the named memories that are still active, in the order named.
 *
 * @param contentLength Code points of content to load; default: all.
 */
export async function loadByIds(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  contentLength?: number,
): Promise<Entry[]> {
  if (ids.length === 0) return [];
  const { content, ...columns } = getTableColumns(memories);
  const found = await tx
    .select({
      ...columns,
      content: contentLength === undefined ? content : sql<string>`left(${content}, ${contentLength}::int)`,
      fullLength: sql<number>`char_length(${content})`,
    })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        isNull(memories.archivedAt),
        sql`${memories.id} = ANY(${uuids(ids)})`,
      ),
    );
  const byId = new Map(
    found.map(({ fullLength, ...row }) => [row.id, { memory: toMemory(row), fullLength }]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Ids of memories that have a change waiting with the Guardian. */
export async function loadPending(tx: Tx, tenantId: string): Promise<ReadonlySet<string>> {
  // Index guardian_pending: one row per memory at most.
  const pending = await tx
    .select({ memoryId: guardianEntries.memoryId })
    .from(guardianEntries)
    .where(and(eq(guardianEntries.tenantId, tenantId), isPending))
    .limit(MOST_PENDING);
  return new Set(pending.map(({ memoryId }) => memoryId));
}

/**
 * Leaves out memories that say the same as one before them, letter case, punctuation and spacing aside, so that
 * copies cannot crowd out the rest; the first notes how many there are.
 */
export function withoutCopies(entries: readonly Entry[]): Entry[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const same = essence(entry);
    const group = groups.get(same);
    if (group) group.push(entry);
    else groups.set(same, [entry]);
  }
  return [...groups.values()].flatMap(([first, ...copies]) => {
    if (!first) return [];
    return copies.length === 0 ? [first] : [addNote(first, `${copies.length} more alike`)];
  });
}

/** Adds words of the service's own to an entry's facts. */
export function addNote(entry: Entry, note: string): Entry {
  return { ...entry, note: entry.note === undefined ? note : `${entry.note}, ${note}` };
}

function essence({ memory, text = '', fullLength = 0 }: Entry): string {
  const content = memory?.content ?? text;
  const said = content
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{S}]+/gu, '');
  // Two long memories may begin alike; only what was loaded whole can be called the same.
  const cut = fullLength > content.length ? memory?.id : '';
  return `${cut} ${said === '' ? content : said}`;
}
