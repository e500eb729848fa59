import { and, lt } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import { importFiles, isUnused } from './schema.ts';
import { discardUnused } from './spool.ts';

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
    tx
      .selectDistinct({ tenantId: importFiles.tenantId, uploadId: importFiles.uploadId })
      .from(importFiles)
      .where(and(lt(importFiles.createdAt, before), isUnused)),
  );
  for (const { tenantId, uploadId } of left) await discardUnused({ database, tenantId }, uploadId);
  return left.length;
}
