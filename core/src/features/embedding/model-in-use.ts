import { sql } from 'drizzle-orm';
import { type Database, rows } from '../../kernel/database/database.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { memories } from '../records/schema.ts';
import { embeddingModels } from './schema.ts';

/**
 * The model that the stored memories have their vectors of, or are getting them of: the one chosen last; where none was
 * recorded, that of most tenants with memories.
 *
 * @returns undefined where no memory is stored.
 */
export async function readModelInUse(database: Database): Promise<string | undefined> {
  const [found] = await database.system((tx) =>
    rows<{ model: string }>(
      tx,
      sql`SELECT coalesce(
          (SELECT model FROM ${embeddingModels} WHERE chosen_at IS NOT NULL ORDER BY chosen_at DESC LIMIT 1),
          (SELECT embedding_model FROM ${tenants} tenant
            WHERE EXISTS (SELECT FROM ${memories} memory WHERE memory.tenant_id = tenant.tenant_id)
            GROUP BY embedding_model ORDER BY count(*) DESC, embedding_model LIMIT 1)
        ) AS model
        WHERE EXISTS (SELECT FROM ${memories})`,
    ),
  );
  return found?.model;
}
