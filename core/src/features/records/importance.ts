import { type SQL, sql } from 'drizzle-orm';
import type { MemoryType } from '../../kernel/contract/fields.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { memories } from './schema.ts';

/** Days after which what time can take of an importance is half gone. */
const HALF_LIFE_DAYS = 180;
/** Share of an importance that time cannot take. */
const LASTING = 0.5;

/**
 * How important a memory is by now: what happened long ago fades, to half of what its author gave it at most. Core
 * memories never fade, and what is stored never changes.
 *
 * @param memory `time`: when it happened, in milliseconds since 1970.
 */
export function presentImportance(
  { type, importance, time }: { type: MemoryType; importance: number; time: number },
  now: Date,
): number {
  if (type === 'core') return importance;
  const days = Math.max(0, now.getTime() - time) / DAY_MS;
  return importance * (LASTING + (1 - LASTING) * 0.5 ** (days / HALF_LIFE_DAYS));
}

/** The same in the database, for memories that are not core. */
export function presentImportanceOf(now: Date): SQL {
  // Not extract(): that is numeric, which takes twice as long.
  const seconds = sql`date_part('epoch', ${timestamptz(now)} - ${memories.occurredAt})`;
  const days = sql`least(36500::float8, greatest(0::float8, ${seconds} / 86400::float8))`;
  return sql`${memories.importance} * (${LASTING}::float8
    + ${1 - LASTING}::float8 * power(0.5::float8, ${days} / ${HALF_LIFE_DAYS}::float8))`;
}
