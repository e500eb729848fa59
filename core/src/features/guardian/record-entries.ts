import { type Context, writerOf } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { type EntryRow, guardianEntries } from '../records/pending-change-schema.ts';
import type { MemoryFields } from '../records/row.ts';
import type { GuardianSettings } from './contract.ts';
import { decidedNow } from './decision.ts';
import { toGuardedFields } from './entry.ts';
import type { Comparison } from './meaning/compare.ts';

/** An entry of the Guardian's queue or history, before it is written. */
interface NewEntry {
  readonly memoryId: string;
  /** Null where the memory is new among the protected ones. */
  readonly before: MemoryFields | null;
  /** Null where it is to be archived. */
  readonly after: MemoryFields | null;
  readonly judged: Comparison;
  readonly status: EntryRow['status'];
  readonly source: Source;
  /** Default: now. */
  readonly coolingUntil?: Date;
  /** True where the human asked for it and so has decided. */
  readonly isDecided?: boolean;
}

/**
 * Records changes to protected memories under the credential of the caller: those that wait, and those that are decided already.
 * The decisions stand in the audit log as well; `announceDecision` writes them there.
 */
export async function recordEntries(
  tx: Tx,
  context: Context,
  settings: GuardianSettings,
  entries: readonly NewEntry[],
): Promise<EntryRow[]> {
  if (entries.length === 0) return [];
  const { tenantId, actor, now, ids } = context;
  return tx
    .insert(guardianEntries)
    .values(
      entries.map(({ memoryId, before, after, judged, status, source, coolingUntil = now, isDecided }) => ({
        tenantId,
        id: ids(),
        memoryId,
        current: before && toGuardedFields(before),
        proposed: after && toGuardedFields(after),
        drift: judged.drift,
        driftLimit: settings.drift_limit,
        concerns: judged.concerns.map(({ says }) => says),
        status,
        source,
        credentialId: actor.credentialId,
        agentId: writerOf(context),
        requestedAt: now,
        coolingUntil,
        ...(isDecided ? decidedNow(context) : {}),
      })),
    )
    .returning();
}
