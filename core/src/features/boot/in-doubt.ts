import { and, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../kernel/database/database.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { undecidedConflicts } from '../supersession/undecided-conflicts.ts';
import type { TenantView } from '../visibility/view.ts';
import type { Loaded } from './load.ts';
import type { Doubt, Entry } from './section.ts';

/** Code points of what a newer fact says: a reminder, not the memory. */
const LONGEST_DOUBT = 120;

interface Fact extends Pick<MemoryRow, 'id' | 'content' | 'createdAt' | 'updatedAt' | 'conflictsWith'> {
  readonly start: Date;
}

/**
 * Adds to facts what a newer one says otherwise, where it was not sure when they were stored whether both hold and nobody has
 * decided since. An older fact is never shown without: alone it would pass for true.
 *
 * @param holds Condition on `memories`: they hold at the moment that is shown.
 */
export async function markDoubted(
  tx: Tx,
  reader: TenantView,
  parts: readonly Loaded[],
  holds: SQL,
): Promise<readonly Loaded[]> {
  // Of what the caller may not read they are told nothing, nor what is doubtful of it.
  const shown = parts.flatMap(({ entries }) =>
    entries.flatMap(({ memory, fullLength }) => (memory && fullLength !== undefined ? [memory.id] : [])),
  );
  const doubts = await findDoubts(tx, reader, shown, holds);
  if (doubts.size === 0) return parts;
  const mark = (entry: Entry): Entry => {
    const doubt = doubts.get(entry.memory?.id ?? '');
    return doubt ? { ...entry, doubt } : entry;
  };
  return parts.map(({ entries, total }) => ({ entries: entries.map(mark), total }));
}

/** By the id of an older fact, what the newest of those says that put it in doubt. */
async function findDoubts(
  tx: Tx,
  reader: TenantView,
  ids: readonly string[],
  holds: SQL,
): Promise<ReadonlyMap<string, Doubt>> {
  if (ids.length === 0) return new Map();
  const { id, conflictsWith } = memories;
  const isShown = sql`${id} = ANY(${uuids(ids)})`;
  // Index memories_conflicts: few facts are in conflict.
  const concerned = sql`${conflictsWith} && ${uuids(ids)}`;
  const later = await loadFacts(tx, reader, and(isNotNull(conflictsWith), or(isShown, concerned), holds));
  const known = new Map(later.map((fact) => [fact.id, fact]));
  const others = later.flatMap((fact) => fact.conflictsWith ?? []).filter((other) => !known.has(other));
  if (others.length > 0) {
    const more = await loadFacts(tx, reader, and(sql`${id} = ANY(${uuids(others)})`, holds));
    for (const fact of more) known.set(fact.id, fact);
  }
  const newest = new Map<string, Fact>();
  for (const [older, newer] of undecidedConflicts(known.values(), ({ start }) => start.getTime())) {
    const before = newest.get(older.id);
    if (!before || before.start < newer.start) newest.set(older.id, newer);
  }
  return new Map([...newest].map(([older, { content, start }]) => [older, { content, since: start }]));
}

function loadFacts(tx: Tx, { tenantId, view }: TenantView, which: SQL | undefined): Promise<Fact[]> {
  const { id, content, validFrom, occurredAt, createdAt, updatedAt, conflictsWith } = memories;
  return tx
    .select({
      ...{ id, createdAt, updatedAt, conflictsWith },
      content: sql<string>`left(${content}, ${LONGEST_DOUBT}::int)`,
      start: sql<Date>`coalesce(${validFrom}, ${occurredAt})`.mapWith(occurredAt),
    })
    .from(memories)
    .where(
      and(eq(memories.tenantId, tenantId), isNull(memories.archivedAt), which, view.known, view.readable),
    );
}
