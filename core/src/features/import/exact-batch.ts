import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { holdAddition, loadAdditionRules, toHeld } from '../guardian/additions.ts';
import { isProtected } from '../guardian/protection.ts';
import { loadGuardianSettings } from '../guardian/settings.ts';
import type { JobError } from '../jobs/contract.ts';
import { userCoreError } from '../memory/user-core.ts';
import type { Stored } from '../records/contract.ts';
import { toMemory } from '../records/row.ts';
import { type PreparedExact, prepareExact, restoreMemories, restoreVersions, toRow } from './restore.ts';
import { errorOf, settleOthers, type WriteBatch } from './tally.ts';
import type { Finding } from './walk.ts';

/**
 * Prepares findings out of an export to come back exactly as they were. What would be part of who the agent is waits with
 * the Guardian, unless the human asked for the import.
 */
export async function prepareExactBatch(context: Context, findings: readonly Finding[]): Promise<WriteBatch> {
  const { exact, errors: ofUser } = withoutUserCore(
    context,
    findings.filter((finding) => finding.kind === 'exact'),
  );
  const versions = findings.filter((finding) => finding.kind === 'version');
  const prepared = await prepareExact(
    context,
    exact.map(({ memory }) => memory),
  );
  const { tally: others, errors } = settleOthers(findings);
  return async (tx) => {
    const protectedOnes = context.actor.forHuman ? [] : await findProtected(tx, context, prepared);
    const held = await hold(tx, context, protectedOnes);
    const free = prepared.filter((item) => !protectedOnes.includes(item));
    const rows = await restoreMemories(tx, context, free);
    const settled = new Set([...rows.map(({ id }) => id), ...held.ids]);
    const refused = exact.filter(({ memory }) => !settled.has(memory.id));
    const restored = await restoreVersions(
      tx,
      context,
      versions.map(({ version }) => version),
    );
    const left = versions.filter(({ version }) => !restored.stored.includes(version));
    const failed = left.filter(({ version }) => !restored.waiting.includes(version));
    return {
      stored: [
        ...rows.map((row) => ({ outcome: 'created' as const, memory: toMemory(row) })),
        ...held.stored,
      ],
      tally: {
        created: rows.length,
        queued: held.stored.filter(({ outcome }) => outcome === 'queued').length,
        versions: restored.stored.length,
        ...others,
        skipped: others.skipped + restored.waiting.length,
      },
      errors: [
        ...errors,
        ...ofUser,
        ...refused.map((at) =>
          errorOf(at, 'CONFLICT', held.refusal ?? 'Another memory has its id or its key already.'),
        ),
        ...failed.map((at) =>
          errorOf(
            at,
            'VALIDATION_ERROR',
            restored.ahead.includes(at.version)
              ? 'Its number is not below that of its memory.'
              : 'Its memory is not in the export.',
          ),
        ),
      ],
    };
  };
}

type ExactFinding = Extract<Finding, { readonly kind: 'exact' }>;

/** Without core memories where those that come back become a user's. */
function withoutUserCore(context: Context, found: readonly ExactFinding[]) {
  const exact: ExactFinding[] = [];
  const errors: JobError[] = [];
  for (const one of found) {
    const error = userCoreError(context, one.memory, 'type');
    if (error) errors.push(errorOf(one, error.code, error.message));
    else exact.push(one);
  }
  return { exact, errors };
}

/** Active memories of protected categories. */
async function findProtected(tx: Tx, context: Context, prepared: readonly PreparedExact[]) {
  if (!prepared.some(({ memory }) => memory.type === 'core')) return [];
  const settings = await loadGuardianSettings(tx, context);
  return prepared.filter(({ memory }) => memory.archived_at === undefined && isProtected(memory, settings));
}

/** Makes additions wait, as many as may; the others are refused with the same words. */
async function hold(tx: Tx, context: Context, prepared: readonly PreparedExact[]) {
  const stored: Stored[] = [];
  const ids: string[] = [];
  if (prepared.length === 0) return { stored, ids, refusal: undefined };
  const rules = await loadAdditionRules(tx, context);
  for (const item of prepared) {
    const row = toRow(context, item);
    try {
      stored.push(toHeld(row, await holdAddition(tx, context, row, 'import', rules)));
      ids.push(row.id);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      return { stored, ids, refusal: error.message };
    }
  }
  return { stored, ids, refusal: undefined };
}
