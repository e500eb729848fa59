import type { Context, Operation } from '../../../kernel/context/context.ts';
import { invalid, SvcError } from '../../../kernel/contract/errors.ts';
import { chunksOf } from '../../../kernel/database/parameters.ts';
import { type IndexEntry, toIndexEntries } from '../../search-index/index-memories.ts';
import type { Writings } from '../change-policy.ts';
import type { memoryRoutes } from '../contract.ts';
import { notifyStored } from '../store.ts';
import { type UndoneChanges, undoChunk } from './apply.ts';
import { mayMove, placeAnew } from './place-anew.ts';
import { findWritten, loadPlans, UNDONE_AT_ONCE, type UndoPlan } from './plan.ts';
import { previewUndo } from './preview.ts';

/** A key may be held by a memory that is undone only later: those who want it try again when all others are done. */
const ROUNDS = 3;

/**
 * Takes back everything one source wrote since a time.
 *
 * What it created is archived, what it changed becomes what it was, keeping what others changed since. Protected
 * memories are reverted when the human asks; otherwise the Guardian is asked. Repeating it changes nothing more.
 * Throws `FORBIDDEN` when an agent would undo what its human wrote.
 */
export const undo: Operation<typeof memoryRoutes.undo> = async (
  context,
  { source, since, credential_id, agent_id, dry_run },
) => {
  if (source === 'human' && context.actor.source !== 'human') {
    throw new SvcError('FORBIDDEN', 'Only the human undoes what the human wrote.');
  }
  if (agent_id !== undefined && !context.space) {
    throw invalid('agent_id', 'is for spaces: name the space in space_id, or leave agent_id out');
  }
  const writings: Writings = {
    ...{ source, since },
    ...(credential_id ? { credentialId: credential_id } : {}),
    ...(agent_id ? { agentId: agent_id } : {}),
  };
  if (dry_run) return previewUndo(context, writings);
  const changes = { archived: 0, restored: 0, reverted: 0, queued: 0, cancelled: 0, skipped: 0 };
  const add = (some: Partial<UndoneChanges>) => {
    for (const [name, number] of Object.entries(some)) changes[name as keyof typeof changes] += number;
  };
  changes.cancelled = await context.write(async (tx) => {
    // With the first of its transactions: what an undo that was cut off has done stands in the log, too.
    await context.audit(tx, 'memories.undone', {
      ...{ source, since: since.toISOString() },
      ...(credential_id ? { credential_id } : {}),
      ...(agent_id ? { agent_id } : {}),
    });
    return context.changePolicy.cancelPending(tx, context, writings);
  });
  let deferred: string[] = [];
  for (let last: string | undefined; ; ) {
    const after = last;
    // Asked again, it goes on from here.
    context.options.signal?.throwIfAborted();
    const ids = await context.read((tx) => findWritten(tx, context, writings, after));
    const result = await undoSome(context, writings, ids, false);
    add(result.changes);
    deferred.push(...result.deferred);
    last = ids.at(-1);
    if (ids.length < UNDONE_AT_ONCE) break;
  }
  for (let round = 1; round <= ROUNDS && deferred.length > 0; round += 1) {
    const left: string[] = [];
    for (const ids of chunksOf(deferred, UNDONE_AT_ONCE)) {
      const result = await undoSome(context, writings, ids, round === ROUNDS);
      add(result.changes);
      left.push(...result.deferred);
    }
    deferred = left;
  }
  changes.skipped += deferred.length;
  return { changes };
};

/** @param final Whether memories whose key is taken go without it rather than waiting for another round. */
async function undoSome(context: Context, writings: Writings, ids: readonly string[], final: boolean) {
  if (ids.length === 0) return { changes: {}, deferred: [] };
  const plans = await context.read((tx) => loadPlans(tx, context, writings, ids));
  const analyses = await analyzePlans(context, plans);
  const { stored, ...result } = await context.write(
    (tx) => undoChunk(tx, context, writings, { plans, analyses, final }),
    { units: 0 },
  );
  await notifyStored(context, stored);
  const done = new Set(stored.map(({ memory }) => memory.id));
  const moved = plans.filter((plan) => done.has(plan.row.id) && mayMove(plan)).map(({ row }) => row.id);
  // Reflection tells nothing: to find places anew would decide again what is taken back.
  if (writings.source !== 'reflection') await placeAnew(context, moved);
  return result;
}

/** Contents that come back need terms and vectors, made outside of the transaction. */
async function analyzePlans(context: Context, plans: readonly UndoPlan[]): Promise<Map<string, IndexEntry>> {
  const needed = plans.filter(
    ({ row, remains }) =>
      !remains.archived && (row.archivedAt !== null || remains.fields.content !== row.content),
  );
  const analyses = await toIndexEntries(
    context,
    needed.map(({ remains }) => remains.fields.content),
  );
  return new Map(needed.flatMap(({ row }, index) => (analyses[index] ? [[row.id, analyses[index]]] : [])));
}
