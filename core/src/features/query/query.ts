import { and, eq, gte, type SQL, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { listAcrossTenants } from '../../kernel/context/list-across-tenants.ts';
import * as field from '../../kernel/contract/fields.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import { type Position, sortedList } from '../../kernel/database/sorted-list.ts';
import { matchesFilters } from '../recall/filters.ts';
import { toMemory } from '../records/row.ts';
import { isForeign, isOwn, type MemoryRow, memories } from '../records/schema.ts';
import { isNotSuperseded } from '../records/validity.ts';
import { showMemories } from '../visibility/show.ts';
import { readingAt, viewOf } from '../visibility/view.ts';
import type { queryRoutes } from './contract.ts';

const { occurredAt, updatedAt, importance, id, tenantId } = memories;

/** The columns of each order. Of equally important memories the newest is first. */
const SORTED_BY = {
  occurred_at: [occurredAt, id],
  updated_at: [updatedAt, id],
  importance: [importance, occurredAt, id],
} as const;

const POSITIONS: Readonly<Record<keyof typeof SORTED_BY, (row: MemoryRow) => Position>> = {
  occurred_at: (row) => ({ at: row.occurredAt, id: row.id }),
  updated_at: (row) => ({ at: row.updatedAt, id: row.id }),
  importance: (row) => ({ at: row.importance, second: row.occurredAt, id: row.id }),
};

type Asked = ParsedOf<typeof queryRoutes.query>;

/**
 * Active memories that match every given filter, newest `occurred_at` first unless asked otherwise. A page boundary is a position,
 * not a count, so that memories stored meanwhile shift nothing.
 */
export const query: Operation<typeof queryRoutes.query> = (context, input) =>
  context.write(async (tx) => {
    const list = sortedList(input.order, SORTED_BY[input.sort]);
    const view = await viewOf(tx, context);
    const { known, readable } = view;
    const find = (source: Context) => {
      const which = and(
        matchesFilters(
          source.tenantId,
          { ...input, types: input.type && [input.type] },
          and(known, searchesWithheld(input) ? readable : undefined),
        ),
        input.include_superseded
          ? undefined
          : isNotSuperseded(source.tenantId, input.as_of ?? context.now, readable),
        input.key === undefined ? undefined : eq(memories.key, input.key),
        input.importance_min === undefined ? undefined : gte(importance, input.importance_min),
        input.entity === undefined ? undefined : sql`${memories.content} ~* ${namePattern(input.entity)}`,
        input.source === undefined ? undefined : eq(memories.source, input.source),
        list.after(input.cursor),
      );
      return readingAt(tx, source, view, input.known_at)
        .select()
        .from(memories)
        .where(
          hasIndexOfEachType(input)
            ? firstOfEachType(source, input, { which, orderBy: list.orderBy })
            : which,
        )
        .orderBy(...list.orderBy)
        .limit(input.limit + 1);
    };
    const positionOf = POSITIONS[input.sort];
    const { shown, next_cursor } = await listAcrossTenants(context, {
      list,
      limit: input.limit,
      find,
      positionOf,
      show: (source, rows) => showMemories(tx, source, rows.map(toMemory)),
    });
    await context.emit(tx, 'memory.recalled', { kind: 'query', results: shown.length });
    return { memories: shown, next_cursor };
  });

/** Whether it lists by importance all memories of now, of a type or of all: the index of that order has each type by itself. */
function hasIndexOfEachType(input: Asked): boolean {
  const { sort, order, limit, cursor, type, importance_min, as_of, include_superseded, ...filters } = input;
  return sort === 'importance' && Object.values(filters).every((filter) => filter === undefined);
}

/** Condition that leaves the first memories of each type, its own and those from outside: any other comes after them. */
function firstOfEachType(
  source: Context,
  { type, limit }: Asked,
  { which, orderBy }: { readonly which: SQL | undefined; readonly orderBy: readonly SQL[] },
): SQL {
  const types = type === undefined ? field.MEMORY_TYPES : [type];
  const first = types.flatMap((one) =>
    [isOwn, isForeign].map(
      (own) => sql`(SELECT ${id} FROM ${memories} WHERE ${and(which, eq(memories.type, one), own)}
        ORDER BY ${sql.join([...orderBy], sql`, `)} LIMIT ${limit + 1}::int)`,
    ),
  );
  // Index memories_importance, and the primary key for an array; a join with them would read all.
  return sql`${tenantId} = ${source.tenantId}::uuid AND ${id} = ANY(ARRAY(${sql.join(first, sql` UNION ALL `)}))`;
}

/** Whether a call finds or sorts memories by what redaction withholds. Type and dates it shows. */
function searchesWithheld(input: Asked): boolean {
  const { category, tags, key, session_id, importance_min, entity, metadata, source } = input;
  const filters = [category, tags, key, session_id, importance_min, entity, metadata, source];
  return input.sort === 'importance' || filters.some((value) => value !== undefined);
}

/** A name as whole words, whatever its case and the white space between them. */
function namePattern(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return `(^|[^[:alnum:]_])${words.join('\\s+')}($|[^[:alnum:]_])`;
}
