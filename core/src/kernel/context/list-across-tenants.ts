import type { Position, SortedList } from '../database/sorted-list.ts';
import { type Context, contextsOf, originOf } from './context.ts';

type Origin = ReturnType<typeof originOf>;

/** How a list is read over several tenants: those of a user, of the agent and of spaces. */
interface Reading<Row, Shown> {
  readonly list: SortedList;
  readonly limit: number;
  /** Reads the rows of one tenant in order, one more than a page has. */
  find(source: Context): Promise<readonly Row[]>;
  readonly positionOf: (row: Row) => Position;
  /** Shows rows of one tenant in their order, without those that the caller may not see. */
  show(source: Context, rows: readonly Row[]): Promise<readonly Shown[]>;
}

/**
 * Reads one page over all tenants of a call. A cursor is a position in the order, so the same one holds for each tenant. What
 * belongs to a user or a space is marked with its id.
 */
export async function listAcrossTenants<
  Row extends { readonly tenantId: string },
  Shown extends { readonly id: string },
>(
  context: Context,
  { list, limit, find, positionOf, show }: Reading<Row, Shown>,
): Promise<{ shown: (Shown & Origin)[]; next_cursor: string | null }> {
  const sources = contextsOf(context);
  const found: (readonly Row[])[] = [];
  for (const source of sources) found.push(await find(source));
  const { page, next_cursor } = list.toPage(merge(found, positionOf, list), limit, positionOf);
  // With the tenant, because an import keeps ids: a user's memory may have the id of one of the agent's own.
  const placeOf = (tenantId: string, id: string) => `${tenantId} ${id}`;
  const shown = new Map<string, Shown & Origin>();
  for (const source of sources) {
    const { tenantId } = source;
    const mark = originOf(source);
    const rows = page.filter((row) => row.tenantId === tenantId);
    for (const one of await show(source, rows)) shown.set(placeOf(tenantId, one.id), { ...one, ...mark });
  }
  return {
    shown: page.flatMap((row) => shown.get(placeOf(row.tenantId, positionOf(row).id)) ?? []),
    next_cursor,
  };
}

function merge<Row>(
  lists: readonly (readonly Row[])[],
  positionOf: (row: Row) => Position,
  { direction }: SortedList,
): readonly Row[] {
  const [only = [], ...others] = lists;
  if (others.length === 0) return only;
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (one: Position, other: Position) =>
    Number(one.at) - Number(other.at) ||
    Number(one.second ?? 0) - Number(other.second ?? 0) ||
    (one.id < other.id ? -1 : 1);
  return lists.flat().sort((one, other) => sign * compare(positionOf(one), positionOf(other)));
}
