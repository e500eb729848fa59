import { sql } from 'drizzle-orm';
import { MEMORY_TYPES, type MemoryType } from '../../kernel/contract/fields.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { texts } from '../../kernel/database/parameters.ts';
import { memories } from '../records/schema.ts';

/** Memories of each type whose contents are measured. More are estimated: status is polled and must not read them all. */
const MEASURED = 250;

/** Bytes that the contents of the active memories take as UTF-8: exact while few, else estimated from the latest. */
export async function measureStorage(
  tx: Tx,
  tenantId: string,
  counts: Readonly<Record<MemoryType, number>>,
): Promise<{ memory_bytes: number; is_estimate: boolean }> {
  // Index memories_type_time.
  const measured = await rows<{ type: MemoryType; memories: number; bytes: number }>(
    tx,
    sql`SELECT types.type, count(*)::int AS memories, sum(latest.bytes)::float8 AS bytes
        FROM unnest(${texts(MEMORY_TYPES)}) AS types (type)
        CROSS JOIN LATERAL (
          SELECT octet_length(content) AS bytes FROM ${memories}
          WHERE ${memories.tenantId} = ${tenantId}::uuid AND ${memories.type} = types.type AND archived_at IS NULL
          ORDER BY occurred_at DESC, id DESC LIMIT ${MEASURED}
        ) AS latest
        GROUP BY types.type`,
  );
  const all = measured.map(({ type, memories, bytes }) => Math.round((bytes / memories) * counts[type]));
  return {
    memory_bytes: all.reduce((sum, bytes) => sum + bytes, 0),
    is_estimate: measured.some(({ type, memories }) => memories < counts[type]),
  };
}
