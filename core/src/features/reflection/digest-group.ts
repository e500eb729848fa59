import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { LIMITS } from '../../kernel/contract/fields.ts';
import { mapInSlices } from '../../kernel/runtime/event-loop.ts';
import type { JobError } from '../jobs/contract.ts';
import type { WriteStep } from '../jobs/job-handler.ts';
import { prepareMemories } from '../memory/store.ts';
import type { Stored } from '../records/contract.ts';
import type { MemoryRow } from '../records/schema.ts';
import { cluster } from './cluster.ts';
import { separateCopies } from './copies.ts';
import { extractDigest, modelDigest } from './digest.ts';
import { type LoadedEpisode, loadGroup, MOST_AT_ONCE } from './episodes.ts';
import { MOST_READ, tellingTerms } from './extract.ts';
import { lockUnchanged } from './knowledge.ts';
import { summarise } from './model-answers.ts';
import { MOST_MODEL_FAILURES, type ReflectCheckpoint, type RunningReflection } from './state.ts';
import { mergeCopy, type PreparedDigest, writeDigest } from './write-digest.ts';

/** Digests one group of episodes, all or none of it. */
export async function digestGroup(
  context: Context,
  { input, checkpoint, done }: RunningReflection,
  signal: AbortSignal,
): Promise<WriteStep<ReflectCheckpoint>> {
  const [name = '', ...others] = checkpoint.groups;
  const loaded = await context.read((tx) => loadGroup(tx, context, name));
  const rows = loaded.map(({ row }) => row);
  const { firsts, copies } = await separateCopies(context, loaded, signal);
  const made = await makeDigests(
    context,
    firsts,
    { archive: input.archiveSources, failuresBefore: checkpoint.modelFailures },
    signal,
  );
  // What is left of a group so large comes with the next step.
  const groups = loaded.length < MOST_AT_ONCE ? others : checkpoint.groups;
  return async (tx) => {
    if (!(await lockUnchanged(tx, context, rows))) return { checkpoint, done };
    // First, since it changes episodes that go into the digests.
    const merged = new Map<string, MemoryRow>();
    for (const { older, copy } of copies) {
      const row = await mergeCopy(tx, context, older, copy);
      if (row) merged.set(row.id, row);
    }
    const current = new Map([...rows.map((row) => [row.id, row] as const), ...merged]);
    const stored: Stored[] = [];
    for (const { prepared, sources } of made.digests) {
      const digest = { prepared, sources: sources.map((row) => current.get(row.id) ?? row) };
      stored.push(...(await writeDigest(tx, context, digest, input.archiveSources)));
    }
    const counts = {
      ...checkpoint.counts,
      episodes:
        checkpoint.counts.episodes + made.digests.reduce((sum, { sources }) => sum + sources.length, 0),
      digests: checkpoint.counts.digests + stored.length,
      merged: checkpoint.counts.merged + merged.size,
    };
    return {
      checkpoint: {
        ...checkpoint,
        // A group whose digests are refused would come back for ever.
        groups: made.errors.length > 0 ? others : groups,
        modelFailures: made.modelFailures,
        counts,
      },
      done: done + rows.length,
      result: counts,
      errors: made.errors,
      stored,
    };
  };
}

async function makeDigests(
  context: Context,
  episodes: readonly LoadedEpisode[],
  { archive, failuresBefore }: { readonly archive: boolean; readonly failuresBefore: number },
  signal: AbortSignal,
) {
  const items = await mapInSlices(
    episodes,
    ({ row, vector }) => ({
      terms: new Set(tellingTerms(row.content.slice(0, MOST_READ)).keys()),
      occurredAt: row.occurredAt,
      vector,
    }),
    signal,
  );
  const clusters = (await cluster(items)).flatMap((places) =>
    splitByTags(places.flatMap((place) => episodes[place]?.row ?? [])),
  );
  const digests: PreparedDigest[] = [];
  const errors: JobError[] = [];
  let modelFailures = failuresBefore;
  for (const sources of clusters) {
    const asks = context.languageModel !== undefined && modelFailures < MOST_MODEL_FAILURES;
    const summary = asks ? await summarise(context, sources, signal) : undefined;
    if (asks) modelFailures = summary === undefined ? modelFailures + 1 : 0;
    const content = summary === undefined ? await extractDigest(sources) : modelDigest(sources, summary);
    try {
      digests.push(await prepare(context, content, sources, archive));
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      errors.push({ item: `digest of ${sources[0]?.id}`, code: error.code, message: error.message });
    }
  }
  return { digests, errors, modelFailures };
}

async function prepare(
  context: Context,
  content: string,
  sources: readonly MemoryRow[],
  archive: boolean,
): Promise<PreparedDigest> {
  const draft = {
    type: 'semantic' as const,
    content,
    tags: tagsOf(sources),
    importance: Math.max(...sources.map(({ importance }) => importance)),
    occurred_at: sources.at(-1)?.occurredAt,
  };
  const [prepared] = await prepareMemories(context, [draft]);
  if (!prepared) throw new SvcError('INTERNAL', 'The digest was not prepared.');
  const digest = { of: sources.map(({ id }) => id), echoes: !archive };
  return { prepared: { ...prepared, digest }, sources };
}

/** The tags of all sources: what hides a source from the human hides its digest. */
function tagsOf(sources: readonly MemoryRow[]): string[] {
  return [...new Set(sources.flatMap(({ tags }) => tags))];
}

/** Halves what has more tags together than a memory may have. */
function splitByTags(sources: readonly MemoryRow[]): (readonly MemoryRow[])[] {
  if (sources.length < 2 || tagsOf(sources).length <= LIMITS.tags) return [sources];
  const middle = Math.ceil(sources.length / 2);
  return [...splitByTags(sources.slice(0, middle)), ...splitByTags(sources.slice(middle))];
}
