import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { LIMITS } from '../../kernel/contract/fields.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import type { JobError } from '../jobs/contract.ts';
import type { JobState, WriteStep } from '../jobs/job-handler.ts';
import { prepareMemories } from '../memory/store.ts';
import type { Stored } from '../records/contract.ts';
import { joinTags } from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';
import { cluster } from './cluster.ts';
import { extractDigest, modelDigest } from './digest.ts';
import { type LoadedEpisode, loadGroup, MOST_AT_ONCE } from './episodes.ts';
import { tellingTerms } from './extract.ts';
import { isCopy } from './is-copy.ts';
import { summarise } from './model-answers.ts';
import { MOST_MODEL_FAILURES, type ReflectCheckpoint, type ReflectInput } from './state.ts';
import { holdUnchanged, mergeCopy, type PreparedDigest, writeDigest } from './write-digest.ts';

/** Said again so soon, it is the same thing stored twice. */
const COPY_WITHIN_MS = HOUR_MS;
/** Shorter episodes are said again and meant anew. */
const LEAST_OF_A_COPY = 40;

type Running = JobState<ReflectInput, ReflectCheckpoint> & { readonly checkpoint: ReflectCheckpoint };

/** Digests one group of episodes, all or none of it. */
export async function digestGroup(
  context: Context,
  { input, checkpoint, done }: Running,
  signal: AbortSignal,
): Promise<WriteStep<ReflectCheckpoint>> {
  const [name = '', ...others] = checkpoint.groups;
  const loaded = await context.read((tx) => loadGroup(tx, context, name));
  const { firsts, copies } = separateCopies(loaded);
  const made = await makeDigests(
    context,
    firsts,
    { archive: input.archiveSources, failuresBefore: checkpoint.modelFailures },
    signal,
  );
  const rows = loaded.map(({ row }) => row);
  // What is left of a group so large comes with the next step.
  const groups = loaded.length < MOST_AT_ONCE ? others : checkpoint.groups;
  return async (tx) => {
    if (!(await holdUnchanged(tx, context, rows))) return { checkpoint, done };
    const stored: Stored[] = [];
    for (const digest of made.digests) {
      stored.push(...(await writeDigest(tx, context, digest, input.archiveSources)));
    }
    for (const { older, copy } of copies) await mergeCopy(tx, context, older, copy);
    const counts = {
      ...checkpoint.counts,
      episodes:
        checkpoint.counts.episodes + made.digests.reduce((sum, { sources }) => sum + sources.length, 0),
      digests: checkpoint.counts.digests + stored.length,
      merged: checkpoint.counts.merged + copies.length,
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

function separateCopies(loaded: readonly LoadedEpisode[]) {
  const copies: { older: MemoryRow; copy: MemoryRow }[] = [];
  const firsts: LoadedEpisode[] = [];
  for (const episode of loaded) {
    const { row } = episode;
    const older = row.content.length < LEAST_OF_A_COPY ? undefined : saidBefore(firsts, row);
    const isTaken = older === undefined || copies.some(({ older: { id } }) => id === older.id);
    if (isTaken || joinTags(older.tags, row.tags) === undefined) firsts.push(episode);
    else copies.push({ older, copy: row });
  }
  return { firsts, copies };
}

/** The last episode before one that says the same. */
function saidBefore(before: readonly LoadedEpisode[], row: MemoryRow): MemoryRow | undefined {
  const earliest = row.occurredAt.getTime() - COPY_WITHIN_MS;
  return before.findLast((one) => one.row.occurredAt.getTime() >= earliest && isCopy(one.row, row))?.row;
}

async function makeDigests(
  context: Context,
  episodes: readonly LoadedEpisode[],
  { archive, failuresBefore }: { readonly archive: boolean; readonly failuresBefore: number },
  signal: AbortSignal,
) {
  const items = episodes.map(({ row, vector }) => ({
    terms: new Set(tellingTerms(row.content).keys()),
    occurredAt: row.occurredAt,
    ...(vector ? { vector } : {}),
  }));
  const clusters = cluster(items).flatMap((places) =>
    splitByTags(places.flatMap((place) => episodes[place]?.row ?? [])),
  );
  const digests: PreparedDigest[] = [];
  const errors: JobError[] = [];
  let modelFailures = failuresBefore;
  for (const sources of clusters) {
    const asks = context.languageModel !== undefined && modelFailures < MOST_MODEL_FAILURES;
    const summary = asks ? await summarise(context, sources, signal) : undefined;
    if (asks) modelFailures = summary === undefined ? modelFailures + 1 : 0;
    const content = summary === undefined ? extractDigest(sources) : modelDigest(sources, summary);
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
    ...(sources.length > 0 ? { occurred_at: sources.at(-1)?.occurredAt } : {}),
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
