import { z } from 'zod';
import { addUsage } from '../../kernel/commit/call-context.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { defineJobHandler } from '../jobs/job-handler.ts';
import type { Stored } from '../records/contract.ts';
import { FORMAT_NAMES } from './contract.ts';
import { readBatch } from './cursor.ts';
import { prepareExactBatch } from './exact-batch.ts';
import { jobContext } from './import.ts';
import { breakStoredCircles } from './link-imported.ts';
import { prepareMemoryBatch } from './memory-batch.ts';
import { removeGuide } from './restore.ts';
import { deleteFiles } from './spool.ts';
import { addTo, type Result } from './tally.ts';
import type { Finding } from './walk.ts';

/** Writes what an import found, a batch a step. */
export const importHandler = defineJobHandler({
  kind: 'import',
  source: 'import',
  input: z.object({
    upload_id: z.uuid(),
    format: z.enum(FORMAT_NAMES).nullable(),
    /** The agent had no memories when the import was asked for: an export comes back as it was. */
    restores: z.boolean(),
    /** Whose memories of several users are taken; absent where all are. */
    only: z.string().nullable().optional(),
    /** The space that the memories go to, in which the steps work. */
    space_id: z.uuid().optional(),
  }),
  checkpoint: z.object({ next: z.int() }),
  step: async (context, { id, input, checkpoint, done, result }) => {
    const from = checkpoint?.next ?? 0;
    const { upload_id: uploadId, format, only } = input;
    const source = { uploadId, format: format ?? undefined, only, from };
    const place = jobContext(context);
    const { findings, next, last } = await readBatch(place, id, source);
    const write = input.restores
      ? await prepareExactBatch(context, findings)
      : await prepareMemoryBatch(context, findings, id);
    return async (tx) => {
      // Two imports of the same source at once must not both find that it is new.
      await lockName(tx, context.tenantId, 'import');
      if (input.restores && from === 0) await removeGuide(tx, context);
      const written = await write(tx);
      if (input.restores && last) await breakStoredCircles(tx, context);
      addUsage(context, unitsOf(written.stored));
      if (last) await deleteFiles(tx, place.tenantId, uploadId);
      return {
        checkpoint: { next },
        done: done + findings.length,
        result: addTo(result as Result | null, { ...written.tally, redacted: secretsIn(findings) }),
        errors: written.errors,
        stored: written.stored,
        finished: last,
      };
    };
  },
});

/** How many secrets were taken out of some findings. */
function secretsIn(findings: readonly Finding[]): number {
  return findings.reduce((sum, { redacted }) => sum + redacted, 0);
}

/** What the agent gets counts as if it had been remembered one by one. */
function unitsOf(stored: readonly Stored[]): number {
  return stored.filter(({ outcome }) => outcome !== 'unchanged').length;
}
