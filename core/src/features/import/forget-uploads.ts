import { sql } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { rows } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import { jobs } from '../jobs/schema.ts';
import { importFiles } from './schema.ts';
import { discard } from './spool.ts';

/**
 * Removes the files of imports that failed, were cancelled, or never began because the process ended while they came
 * in. A finished import removes its own.
 *
 * @returns how many imports' files went.
 */
export async function forgetUploads({ database, clock }: Services): Promise<number> {
  // What is younger may still be coming in.
  const before = new Date(clock().getTime() - HOUR_MS);
  const left = await database.system((tx) =>
    // Index import_files_age.
    rows<{ tenant_id: string; upload_id: string }>(
      tx,
      sql`SELECT DISTINCT tenant_id, upload_id FROM ${importFiles} file
          WHERE created_at < ${timestamptz(before)} AND NOT EXISTS (
            SELECT FROM ${jobs} job WHERE job.tenant_id = file.tenant_id AND job.finished_at IS NULL
              AND job.input ->> 'upload_id' = file.upload_id::text)`,
    ),
  );
  for (const { tenant_id, upload_id } of left) await discard({ database, tenantId: tenant_id }, upload_id);
  return left.length;
}
