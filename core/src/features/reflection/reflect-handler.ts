import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { type Advance, defineJobHandler, type JobState, type WriteStep } from '../jobs/job-handler.ts';
import { memories } from '../records/schema.ts';
import { compareSome } from './compare.ts';
import { loadReflection } from './config.ts';
import { digestGroup } from './digest-group.ts';
import { countEpisodes, findGroups } from './episodes.ts';
import {
  type ReflectCheckpoint,
  type ReflectInput,
  type RunningReflection,
  reflectCheckpoint,
  reflectInput,
} from './state.ts';

/**
 * Consolidates an agent's memory: digests of old episodes, then copies and contradictions in what it knows. Nothing of
 * it touches core memories, and `POST /memories/undo` with source `reflection` takes all of it back.
 */
export const reflectHandler = defineJobHandler({
  kind: 'reflect',
  source: 'reflection',
  input: reflectInput,
  checkpoint: reflectCheckpoint,
  step: (context, job, signal) => {
    const { checkpoint } = job;
    if (!checkpoint) return begin(context, job);
    const running = { ...job, checkpoint };
    if (checkpoint.phase === 'compare') return compareSome(context, running, signal);
    if (checkpoint.groups.length > 0) return digestGroup(context, running, signal);
    return nextGroups(context, running);
  },
});

async function begin(
  context: Context,
  { input }: JobState<ReflectInput, ReflectCheckpoint>,
): Promise<WriteStep<ReflectCheckpoint>> {
  return async (tx) => {
    await freeSources(tx, context);
    const { comparedUntil } = await loadReflection(tx, context.tenantId);
    const counts = { episodes: 0, digests: 0, merged: 0, superseded: 0 };
    return {
      checkpoint: {
        phase: 'digest',
        startedAt: context.now.toISOString(),
        groups: [],
        after: '',
        comparedSince: comparedUntil?.toISOString() ?? null,
        compared: null,
        modelFailures: 0,
        counts,
      },
      done: 0,
      total: await countEpisodes(tx, context, new Date(input.before)),
      result: counts,
    };
  };
}

async function nextGroups(
  context: Context,
  { input, checkpoint, done }: RunningReflection,
): Promise<WriteStep<ReflectCheckpoint>> {
  const { after } = checkpoint;
  const found = await context.read((tx) =>
    findGroups(tx, context, { before: new Date(input.before), after }),
  );
  const next = { groups: [...found], after: found.at(-1) ?? after };
  const phase = found.length === 0 ? ('compare' as const) : checkpoint.phase;
  return async (): Promise<Advance<ReflectCheckpoint>> => ({
    checkpoint: { ...checkpoint, ...next, phase },
    done,
  });
}

/** Digests that reflection itself gave up, since a source was forgotten or changed, let the other sources go. */
async function freeSources(tx: Tx, { tenantId }: Context): Promise<void> {
  // Index memories_archived.
  const retired = tx
    .select({ id: memories.id })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        eq(memories.source, 'reflection'),
        eq(memories.change, 'archived'),
        isNotNull(memories.archivedAt),
        sql`cardinality(${memories.derivedFrom}) > 0`,
      ),
    );
  await tx
    .update(memories)
    .set({ digestId: null })
    .where(and(eq(memories.tenantId, tenantId), inArray(memories.digestId, retired)));
}
