import { and, asc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import type { MemoryType } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { guardianEntries, isUndecided } from '../records/pending-change-schema.ts';
import { contentSourceOf, toMemory } from '../records/row.ts';
import { memories } from '../records/schema.ts';
import { redactMemory } from '../visibility/show.ts';
import { levelsOf, type TenantView } from '../visibility/view.ts';
import { findContenders } from './judgement.ts';
import type { Entry } from './section.ts';

/** Which memories, and in which order of importance. */
export interface Selection {
  readonly where: SQL | undefined;
  readonly order: readonly SQL[];
  /** How many there are, where that is known: counting them reads all. */
  readonly total?: number;
  /** The one type it selects from, where the best of that are by importance or time; with `total`. */
  readonly contenders?: MemoryType;
  /** True where that is the order of time, which redaction shows. */
  readonly inTime?: boolean;
  readonly most: number;
  /** Code points of content to load, for entries that are cut anyway; default: all. */
  readonly contentLength?: number;
}

/** Entries in the order asked for, and how many memories there are in all. */
export interface Loaded {
  readonly entries: readonly Entry[];
  readonly total: number;
}

/** How deep a selection looks at least where it does not look at all memories. */
const CONTENDERS = 1_000;

/** Condition that leaves those that may be among the first so many, where there are more. */
export async function amongContenders(
  tx: Tx,
  reader: TenantView,
  { contenders: type, total = 0 }: Selection,
  most: number,
): Promise<SQL | undefined> {
  const depth = Math.max(CONTENDERS, most);
  if (type === undefined || total <= depth) return undefined;
  const ids = await findContenders(tx, reader, { type, depth });
  return sql`${memories.id} = ANY(${uuids(ids)})`;
}

/** Loads the first active memories of a selection. */
export async function loadEntries(tx: Tx, reader: TenantView, selection: Selection): Promise<Loaded> {
  if (selection.most <= 0) return { entries: [], total: 0 };
  const { tenantId, view } = reader;
  // Ids first, so that contents are read only of the few that are chosen.
  const chosen = await tx
    .select({ id: memories.id, total: totalOf(selection) })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        isNull(memories.archivedAt),
        await amongContenders(tx, reader, selection, selection.most),
        selection.where,
        view.known,
      ),
    )
    .orderBy(...selection.order)
    .limit(selection.most);
  const ids = chosen.map(({ id }) => id);
  const entries = await loadByIds(tx, reader, ids, { contentLength: selection.contentLength });
  return {
    entries: view.isFull || selection.inTime ? entries : redactedLast(entries),
    total: chosen[0]?.total ?? 0,
  };
}

/** How many memories a selection holds, as a column beside each of the first of them. */
export function totalOf({ total }: Selection): SQL<number> {
  return total === undefined ? sql<number>`(count(*) OVER ())::int` : sql<number>`${total}::int`;
}

/** Puts redacted memories last and in the order of time: any other would tell how important they are. */
function redactedLast(entries: readonly Entry[]): Entry[] {
  const isRedacted = ({ fullLength }: Entry) => fullLength === undefined;
  const time = ({ memory }: Entry) => memory?.occurred_at ?? '';
  return [
    ...entries.filter((entry) => !isRedacted(entry)),
    ...entries.filter(isRedacted).sort((one, other) => (time(one) > time(other) ? -1 : 1)),
  ];
}

/**
 * Loads the named memories that are still active, in the order named.
 *
 * @param options.contentLength Code points of content to load; default: all.
 * @param options.where Condition on those that are wanted; default: all.
 */
export async function loadByIds(
  tx: Tx,
  { tenantId, view }: TenantView,
  ids: readonly string[],
  { contentLength, where }: { readonly contentLength: number | undefined; readonly where?: SQL },
): Promise<Entry[]> {
  if (ids.length === 0) return [];
  const { content, change, length, fingerprint, sketch, echoes, digestId, changedIn, ...columns } =
    getTableColumns(memories);
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
        where,
        view.known,
      ),
    );
  const level = await levelsOf(tx, { tenantId, view }, ids);
  const byId = new Map(
    found.map(({ fullLength, ...row }): [string, Entry] => {
      const memory = toMemory(row);
      if (level(row.id) !== 'full') return [row.id, { memory: redactMemory(memory) }];
      return [row.id, { memory, fullLength, contentSource: contentSourceOf(row) }];
    }),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

type GuardianNote = Required<Pick<Entry, 'note' | 'unconfirmed'>>;

/** What the Guardian has to say of memories, by their ids. Index guardian_undecided. */
export async function loadGuardianNotes(
  tx: Tx,
  tenantId: string,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, GuardianNote>> {
  const ids = entries.flatMap(({ memory }) => memory?.id ?? []);
  if (ids.length === 0) return new Map();
  const { memoryId, status } = guardianEntries;
  const undecided = await tx
    .select({ memoryId, status })
    .from(guardianEntries)
    .where(and(eq(guardianEntries.tenantId, tenantId), isUndecided, sql`${memoryId} = ANY(${uuids(ids)})`))
    // Unconfirmed before pending, where both hold.
    .orderBy(asc(status));
  const notes = new Map<string, GuardianNote>();
  for (const { memoryId, status } of undecided) {
    const isAdded = status === 'added';
    const note = isAdded ? 'not confirmed by the human' : 'change pending with the Guardian';
    const before = notes.get(memoryId);
    notes.set(memoryId, {
      note: before === undefined || before.note === note ? note : `${before.note}, ${note}`,
      unconfirmed: isAdded || (before?.unconfirmed ?? false),
    });
  }
  return notes;
}

/** Sorts what the human has confirmed before what they have not. */
export const confirmedFirst = sql`EXISTS (SELECT 1 FROM ${guardianEntries}
  WHERE ${guardianEntries.tenantId} = ${memories.tenantId} AND ${guardianEntries.memoryId} = ${memories.id}
    AND ${guardianEntries.status} = 'added')`;

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
    const alike = copies.reduce((sum, copy) => sum + 1 + (copy.alike ?? 0), first.alike ?? 0);
    return alike === 0 ? [first] : [addNote(first, `${alike} more alike`)];
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
