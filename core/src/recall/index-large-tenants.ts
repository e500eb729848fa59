import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { rows } from '../database/database.ts';
import type { Dependencies } from '../engine/context.ts';
import { tenants } from '../tenants/schema.ts';
import { corpusSizes, memoryVectors } from './schema.ts';

/** Dimensions that pgvector can index. */
const MOST_DIMENSIONS = 2_000;
/** What a vector takes in the graph beside itself while that is built. */
const NODE_BYTES = 1_000;
const MOST_BUILD_MIB = 2_048;
const PREFIX = 'memory_vectors_large_';

interface Wanted {
  readonly tenant_id: string;
  readonly model: string;
  readonly dimensions: number;
}

/**
 * Gives each large tenant an index of its own over its vectors, and takes it away from those that are large no more or are
 * answered by another model. One index for all tenants would find the nearest of everybody, of which next to none are the
 * asking tenant's. On Postgres it is built beside reads and writes.
 *
 * @returns how many indexes were made or taken away.
 */
export async function indexLargeTenants(
  { database, settings, logger }: Dependencies,
  signal: AbortSignal,
): Promise<number> {
  const wanted = await database.system((tx) =>
    // A tenant that shrinks keeps its index for a while, lest it be made again and again.
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
  // An index whose building was interrupted is left invalid: it is made anew.
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
    await accounts.execute(sql`DROP INDEX ${concurrently} IF EXISTS ${sql.identifier(name)}`);
    done += 1;
  }
  const there = new Set(present.filter(({ valid, building }) => valid || building).map(({ name }) => name));
  for (const [name, { tenant_id, model, dimensions, documents }] of names) {
    if (signal.aborted || there.has(name) || Number(documents) <= settings.recallExactUpTo) continue;
    if (!dimensions || dimensions > MOST_DIMENSIONS) continue;
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

/** Memory in which the whole graph fits while it is built: one that does not fit takes many times as long. */
function mebibytesFor(documents: number, dimensions: number): number {
  const each = NODE_BYTES + 4 * dimensions;
  return Math.min(MOST_BUILD_MIB, Math.ceil((documents * each) / 2 ** 20));
}

function nameOf({ tenant_id, model }: Wanted): string {
  const digest = createHash('sha256').update(`${tenant_id} ${model}`).digest('hex');
  return `${PREFIX}${digest.slice(0, 24)}`;
}

/** A text in a statement that takes no parameters. */
function literal(text: string) {
  return sql.raw(`'${text.replaceAll("'", "''")}'`);
}
