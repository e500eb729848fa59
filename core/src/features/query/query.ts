import { and, asc, desc, eq, gte, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { readBoth } from '../../kernel/context/read-both.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import { newerThanCursor, olderThanCursor, toPage } from '../../kernel/database/cursor.ts';
import { matchesFilters } from '../recall/filters.ts';
import { toMemory } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { isNotSuperseded } from '../records/validity.ts';
import { readingAt } from '../visibility/reading-at.ts';
import { showMemories } from '../visibility/show.ts';
import { viewOf } from '../visibility/view.ts';
import type { queryRoutes } from './contract.ts';

const SORTED_BY = {
  occurred_at: memories.occurredAt,
  updated_at: memories.updatedAt,
  importance: memories.importance,
} as const;

/**
 * Active memories that match every given filter, newest `occurred_at` first unless asked otherwise. A page boundary is a position, not a
 * count, so that memories stored meanwhile shift nothing.
 */
export const query: Operation<typeof queryRoutes.query> = (context, input) =>
  context.write(async (tx) => {
    const { id } = memories;
    const sorted = SORTED_BY[input.sort];
    const [direction, afterCursor] =
      input.order === 'desc' ? ([desc, olderThanCursor] as const) : ([asc, newerThanCursor] as const);
    const view = await viewOf(tx, context);
    const { known, readable } = view;
    // By occurred_at, index memories_time, or memories_type_time when a type is given.
    const find = (source: Context) =>
      readingAt(tx, source, view, input.known_at)
        .select()
        .from(memories)
        .where(
          and(
            matchesFilters(
              source.tenantId,
              { ...input, types: input.type && [input.type] },
              and(known, searchesWithheld(input) ? readable : undefined),
            ),
            input.include_superseded
              ? undefined
              : isNotSuperseded(source.tenantId, input.as_of ?? context.now, readable),
            input.key === undefined ? undefined : eq(memories.key, input.key),
            input.importance_min === undefined ? undefined : gte(memories.importance, input.importance_min),
            input.entity === undefined ? undefined : sql`${memories.content} ~* ${namePattern(input.entity)}`,
            input.source === undefined ? undefined : eq(memories.source, input.source),
            afterCursor(input.cursor, sorted, id),
          ),
        )
        .orderBy(direction(sorted), direction(id))
        .limit(input.limit + 1);
    const positionOf = (row: MemoryRow) => ({
      at: { occurred_at: row.occurredAt, updated_at: row.updatedAt, importance: row.importance }[input.sort],
      id: row.id,
    });
    const { shown, next_cursor } = await readBoth(context, {
      find,
      positionOf,
      order: input.order,
      toPage: (rows) => toPage(rows, input.limit, positionOf),
      show: (source, rows) => showMemories(tx, source, rows.map(toMemory)),
    });
    await context.emit(tx, 'memory.recalled', { kind: 'query', results: shown.length });
    return { memories: shown, next_cursor };
  });

/** Whether a call finds or sorts memories by what redaction withholds. Type and dates it shows. */
function searchesWithheld(input: ParsedOf<typeof queryRoutes.query>): boolean {
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
