import { and, desc, eq, gte, sql } from 'drizzle-orm';
import { beyond, toPage } from '../database/cursor.ts';
import type { Operation } from '../engine/context.ts';
import { toMemory } from '../memory/row.ts';
import { memories } from '../memory/schema.ts';
import { matches } from '../recall/filters.ts';

/**
 * Active memories that match every given filter, newest `occurred_at` first. A page boundary is a position, not a
 * count, so that memories stored meanwhile shift nothing. Spec: POST /memories/query.
 */
export const query: Operation<'query'> = (context, input) =>
  context.write(async (tx) => {
    const { occurredAt, id } = memories;
    // Index memories_time, or memories_type_time when a type is given.
    const found = await tx
      .select()
      .from(memories)
      .where(
        and(
          matches(context.tenantId, { ...input, types: input.type && [input.type] }),
          input.key === undefined ? undefined : eq(memories.key, input.key),
          input.importance_min === undefined ? undefined : gte(memories.importance, input.importance_min),
          input.entity === undefined ? undefined : sql`${memories.content} ~* ${namePattern(input.entity)}`,
          beyond(input.cursor, occurredAt, id),
        ),
      )
      .orderBy(desc(occurredAt), desc(id))
      .limit(input.limit + 1);
    const { page, next_cursor } = toPage(found, input.limit, (row) => ({ at: row.occurredAt, id: row.id }));
    await context.emit(tx, 'memory.recalled', { kind: 'query', results: page.length });
    return { memories: page.map(toMemory), next_cursor };
  });

/** A name as whole words, whatever its case and the white space between them. */
function namePattern(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return `(^|[^[:alnum:]_])${words.join('\\s+')}($|[^[:alnum:]_])`;
}
