import { and, desc, eq, gte, sql } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import { olderThanCursor, toPage } from '../../kernel/database/cursor.ts';
import { matchesFilters } from '../recall/filters.ts';
import { toMemory } from '../records/row.ts';
import { memories } from '../records/schema.ts';
import { isNotSuperseded } from '../records/validity.ts';
import { readingAt } from '../visibility/reading-at.ts';
import { showMemories } from '../visibility/show.ts';
import { viewOf } from '../visibility/view.ts';
import type { queryRoutes } from './contract.ts';

/**
 * Active memories that match every given filter, newest `occurred_at` first. A page boundary is a position, not a
 * count, so that memories stored meanwhile shift nothing.
 */
export const query: Operation<typeof queryRoutes.query> = (context, input) =>
  context.write(async (tx) => {
    const { occurredAt, id } = memories;
    const view = await viewOf(tx, context);
    const { known, readable } = view;
    // Index memories_time, or memories_type_time when a type is given.
    const found = await readingAt(tx, context, view, input.known_at)
      .select()
      .from(memories)
      .where(
        and(
          matchesFilters(
            context.tenantId,
            { ...input, types: input.type && [input.type] },
            and(known, searchesWithheld(input) ? readable : undefined),
          ),
          input.include_superseded
            ? undefined
            : isNotSuperseded(context.tenantId, input.as_of ?? context.now, readable),
          input.key === undefined ? undefined : eq(memories.key, input.key),
          input.importance_min === undefined ? undefined : gte(memories.importance, input.importance_min),
          input.entity === undefined ? undefined : sql`${memories.content} ~* ${namePattern(input.entity)}`,
          olderThanCursor(input.cursor, occurredAt, id),
        ),
      )
      .orderBy(desc(occurredAt), desc(id))
      .limit(input.limit + 1);
    const { page, next_cursor } = toPage(found, input.limit, (row) => ({ at: row.occurredAt, id: row.id }));
    await context.emit(tx, 'memory.recalled', { kind: 'query', results: page.length });
    return { memories: await showMemories(tx, context, page.map(toMemory)), next_cursor };
  });

/** Whether a call finds memories by what redaction withholds. Type and dates it shows. */
function searchesWithheld(input: ParsedOf<typeof queryRoutes.query>): boolean {
  const { category, tags, key, session_id, importance_min, entity, metadata } = input;
  const filters = [category, tags, key, session_id, importance_min, entity, metadata];
  return filters.some((value) => value !== undefined);
}

/** A name as whole words, whatever its case and the white space between them. */
function namePattern(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return `(^|[^[:alnum:]_])${words.join('\\s+')}($|[^[:alnum:]_])`;
}
