import type { Context } from '../engine/context.ts';
import { toMemory } from '../memory/row.ts';
import { prepareExact, restoreMemories, restoreVersions } from './restore.ts';
import { errorOf, settleOthers, type WriteBatch } from './tally.ts';
import type { Finding } from './walk.ts';

/** Prepares findings out of an export to come back exactly as they were. */
export async function prepareExactBatch(context: Context, findings: readonly Finding[]): Promise<WriteBatch> {
  const exact = findings.filter((finding) => finding.kind === 'exact');
  const versions = findings.filter((finding) => finding.kind === 'version');
  const prepared = await prepareExact(
    context,
    exact.map(({ memory }) => memory),
  );
  const { skipped, errors } = settleOthers(findings);
  return async (tx) => {
    const rows = await restoreMemories(tx, context, prepared);
    const stored = new Set(rows.map(({ id }) => id));
    const refused = exact.filter(({ memory }) => !stored.has(memory.id));
    const missing = await restoreVersions(
      tx,
      context,
      versions.map(({ version }) => version),
    );
    const orphans = versions.filter(({ version }) => missing.has(version.memory_id));
    return {
      stored: rows.map((row) => ({ outcome: 'created' as const, memory: toMemory(row) })),
      tally: { created: rows.length, versions: versions.length - orphans.length, skipped },
      errors: [
        ...errors,
        ...refused.map((at) => errorOf(at, 'CONFLICT', 'Another memory has its id or its key already.')),
        ...orphans.map((at) => errorOf(at, 'VALIDATION_ERROR', 'Its memory is not in the export.')),
      ],
    };
  };
}
