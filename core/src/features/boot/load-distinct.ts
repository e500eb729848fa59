import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../../kernel/database/database.ts';
import { writerColumn } from '../recall/memory-columns.ts';
import { type Attributed, ShareCounter } from '../recall/ranking/near-copies.ts';
import { memories } from '../records/schema.ts';
import { readSketch } from '../search-index/sketch.ts';
import type { TenantView } from '../visibility/view.ts';
import { amongContenders, type Loaded, loadByIds, loadEntries, type Selection, totalOf } from './load.ts';

/** Entries of one wording and of one group of near-copies that come before others. Sources take turns in the statement. */
const SHARE = { alike: 1, near: 3, source: Number.POSITIVE_INFINITY };
/** Entries of one group of near-copies in all. */
const MOST_OF_GROUP = 40;
/** Share of the rows that near-copies take from which on more rows are read. */
const CROWDED = 1 / 4;
/** Rows that are read then: beyond so many near-copies others are not found. */
const DEEP = 5_000;

interface Row extends Attributed {
  readonly id: string;
  readonly fingerprint: bigint;
}

/**
 * Loads memories of a selection like `loadEntries`, but for near-copies: few of a group keep their places, some more come
 * after all others, and the rest is only counted. Of a caller from whom something is withheld nothing is left out: what is
 * near to what would tell of contents.
 *
 * @param spare Rows to read beside `selection.most`, for those that near-copies take.
 */
export async function loadDistinct(
  tx: Tx,
  reader: TenantView,
  selection: Selection,
  spare = 0,
): Promise<Loaded> {
  const { tenantId, view } = reader;
  if (!view.isFull) return loadEntries(tx, reader, { ...selection, most: selection.most + spare });
  const list = async (most: number) => {
    const found = await tx
      .select({
        id: memories.id,
        fingerprint: memories.fingerprint,
        sketch: memories.sketch,
        source: sql<string>`${writerColumn}`,
        total: totalOf(selection),
      })
      .from(memories)
      .where(
        and(
          eq(memories.tenantId, tenantId),
          isNull(memories.archivedAt),
          await amongContenders(tx, reader, selection, most),
          selection.where,
          view.known,
        ),
      )
      .orderBy(...selection.order)
      .limit(most);
    return {
      rows: found.map(({ sketch, ...row }): Row => ({ ...row, sketch: readSketch(sketch, row.id) })),
      total: found[0]?.total ?? 0,
    };
  };
  const { rows, total } = await list(selection.most + spare);
  let chosen = choose(rows);
  const crowded = rows.length - chosen.first.length > CROWDED * rows.length;
  if (crowded && chosen.first.length < selection.most && total > rows.length) {
    chosen = choose((await list(DEEP)).rows);
  }
  const ids = [...chosen.first, ...chosen.later].slice(0, selection.most);
  const entries = await loadByIds(tx, reader, ids, { contentLength: selection.contentLength });
  return {
    entries: entries.map((entry) => {
      const left = chosen.left.get(entry.memory?.id ?? '');
      return left === undefined ? entry : { ...entry, alike: left };
    }),
    total: total - [...chosen.left.values()].reduce((sum, left) => sum + left, 0),
  };
}

/** Which rows come first and which after these, and how many more say exactly what a row says. */
function choose(rows: readonly Row[]) {
  const shares = new ShareCounter(SHARE);
  const sizes = new Map<Attributed, { readonly row: Row; size: number; same: number }>();
  const [first, later]: [string[], string[]] = [[], []];
  const left = new Map<string, number>();
  for (const row of rows) {
    const place = shares.take(row);
    const group = sizes.get(place.first) ?? { row, size: 0, same: 0 };
    sizes.set(place.first, group);
    group.size += 1;
    if (place.hasRoom) first.push(row.id);
    else if (group.size <= MOST_OF_GROUP) later.push(row.id);
    else if (row.fingerprint === group.row.fingerprint) {
      group.same += 1;
      left.set(group.row.id, group.same);
    }
  }
  return { first, later, left };
}
