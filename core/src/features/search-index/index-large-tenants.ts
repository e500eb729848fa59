import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { rows } from '../../kernel/database/database.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { corpusSizes, memoryVectors } from './schema.ts';

/** Most dimensions that pgvector can index. */
const MAX_DIMENSIONS = 2_000;
/** Bytes of a graph node besides its vector while the index is built. */
const NODE_BYTES = 1_000;
const MAX_BUILD_MIB = 2_048;
/**
 * Most memories for which the embedded database builds an index. The build blocks the event loop for about a millisecond per
 * memory; beyond some seconds, an exact search is better.
 */
const MAX_EMBEDDED = 10_000;
const PREFIX = 'memory_vectors_large_';

interface Wanted {
  readonly tenant_id: string;
  readonly model: string;
  readonly dimensions: number;
}

/**
 * Creates a vector index for each large tenant, and drops those of tenants that are no longer large or have another active
 * model. One index for all tenants would find the nearest vectors of everybody, hardly any of which belong to the asking
 * tenant. On Postgres the index is built concurrently with reads and writes.
 *
 * @returns the number of indexes created or dropped.
 */
export async function indexLargeTenants(
  { database, settings, logger }: Services,
  signal: AbortSignal,
): Promise<number> {
  const wanted = await database.system((tx) =>
    // A tenant that shrinks keeps its index down to half the size, so that it is not rebuilt again and again.
    rows<Wanted & { documents: string }>(
      tx,
      sql`SELECT size.tenant_id, tenant.embedding_model AS model, size.documents,
            (SELECT vector_dims(embedding) FROM ${memoryVectors} v
             WHERE v.tenant_id = size.tenant_id AND v.model = tenant.embedding_model LIMIT 1) AS dimensions
          FROM ${corpusSizes} size JOIN ${tenants} tenant USING (tenant_id)
          WHERE size.documents > ${Math.floor(settings.recallExactUpTo / 2)}`,
    ),
  );
  const names = new Map(wanted.map((one) => [nameOf(one), one]));
  const { accounts } = database;
  // An interrupted build leaves an invalid index, which is dropped and rebuilt.
  const present = await rows<{ name: string; valid: boolean; building: boolean }>(
    accounts,
    sql`SELECT c.relname AS name, i.indisvalid AS valid,
          EXISTS (SELECT FROM pg_locks l WHERE l.relation = i.indexrelid AND l.pid <> pg_backend_pid()) AS building
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = 'memory_vectors'::regclass AND c.relname LIKE ${`${PREFIX}%`}`,
  );
  const concurrently = sql.raw(database.kind === 'postgres' ? 'CONCURRENTLY' : '');
  let done = 0;
  for (const { name, valid, building } of present) {
    if (building || (valid && names.has(name))) continue;
    await database.build(sql`DROP INDEX ${concurrently} IF EXISTS ${sql.identifier(name)}`, 0);
    done += 1;
  }
  const there = new Set(present.filter(({ valid, building }) => valid || building).map(({ name }) => name));
  for (const [name, { tenant_id, model, dimensions, documents }] of names) {
    if (signal.aborted || there.has(name) || Number(documents) <= settings.recallExactUpTo) continue;
    if (!dimensions || dimensions > MAX_DIMENSIONS) continue;
    if (database.kind === 'pglite' && Number(documents) > MAX_EMBEDDED) continue;
    logger.info({ tenant_id, documents }, 'indexing the vectors of a large tenant');
    await database.build(
      sql`
        CREATE INDEX ${concurrently} IF NOT EXISTS ${sql.identifier(name)} ON ${memoryVectors}
        USING hnsw ((embedding::vector(${sql.raw(String(Number(dimensions)))})) vector_cosine_ops)
        WHERE tenant_id = ${literal(tenant_id)}::uuid AND model = ${literal(model)}`,
      mebibytesFor(Number(documents), dimensions),
    );
    done += 1;
  }
  return done;
}

/** Memory for the whole graph while it is built. A graph that does not fit takes many times as long. */
function mebibytesFor(documents: number, dimensions: number): number {
  const each = NODE_BYTES + 4 * dimensions;
  return Math.min(MAX_BUILD_MIB, Math.ceil((documents * each) / 2 ** 20));
}

function nameOf({ tenant_id, model }: Wanted): string {
  const digest = createHash('sha256').update(`${tenant_id} ${model}`).digest('hex');
  return `${PREFIX}${digest.slice(0, 24)}`;
}

/** A string literal, for a statement that takes no parameters. */
function literal(text: string) {
  return sql.raw(`'${text.replaceAll("'", "''")}'`);
}
