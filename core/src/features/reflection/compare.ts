import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import type { WriteStep } from '../jobs/job-handler.ts';
import { chainFrom } from '../memory/chain.ts';
import { changeMemory } from '../memory/change.ts';
import { contentSourceOf, foundLink, isDatedAhead, startOf } from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';
import { type Compared, compareFact, mayContradict, type RelatedFact } from '../supersession/compare-fact.ts';
import { noteConflicts } from '../supersession/note-conflicts.ts';
import { haveOtherSubjects } from '../supersession/subject-fields.ts';
import { forgetVectors } from './compared-vectors.ts';
import { keepReflection } from './config.ts';
import { isCopy } from './copies.ts';
import {
  embeddedUntil,
  type FoundNeighbours,
  findNeighbours,
  findSettled,
  loadChanged,
  lockUnchanged,
  type Pair,
} from './knowledge.ts';
import { findContradictions } from './model-answers.ts';
import { MOST_MODEL_FAILURES, type ReflectCheckpoint, type RunningReflection } from './state.ts';
import { mergeCopy } from './write-digest.ts';

/** Findings from which on the rest waits for the next step: writing them holds the database. */
const MOST_FINDINGS = 20;
/** Pairs a model is asked about at once, the most alike. */
const MOST_ASKED = 40;

/** Two memories that stand in each other's way. */
interface Finding extends Pair {
  readonly kind: 'copy' | 'contradiction';
}

/** Compares some of the changed knowledge with what is most like it: copies are merged, contradictions marked. */
export async function compareSome(
  context: Context,
  { id, checkpoint, done }: RunningReflection,
  signal: AbortSignal,
): Promise<WriteStep<ReflectCheckpoint>> {
  const changed = await context.read((tx) =>
    loadChanged(tx, context, {
      since: checkpoint.comparedSince,
      until: checkpoint.startedAt,
      after: checkpoint.compared,
    }),
  );
  if (changed.length === 0) {
    forgetVectors(context, id);
    return async (tx) => {
      const comparedUntil = await embeddedUntil(tx, context, new Date(checkpoint.startedAt));
      await keepReflection(tx, context.tenantId, { comparedUntil });
      return { checkpoint, done, finished: true };
    };
  }
  const found = await findNeighbours(context, id, changed, signal);
  const { findings, doubtful, last, modelFailures } = await findAll(
    context,
    found,
    checkpoint.modelFailures,
    signal,
  );
  return async (tx) => {
    const { merged, superseded } = await applyFindings(tx, context, findings);
    await noteConflicts(tx, context, await unsettled(tx, context, doubtful));
    const counts = { ...checkpoint.counts };
    counts.merged += merged;
    counts.superseded += superseded;
    return {
      checkpoint: {
        ...checkpoint,
        ...(last ? { compared: { at: last.updatedAt.toISOString(), id: last.id } } : {}),
        modelFailures,
        counts,
      },
      done,
      result: counts,
    };
  };
}

/** Merges copies and marks contradictions, as far as the memories still are what they were. Returns how many of each. */
async function applyFindings(tx: Tx, context: Context, findings: readonly Finding[]) {
  const counts = { merged: 0, superseded: 0 };
  const settled = await findSettled(tx, context, findings);
  // What became of memories in this step; undefined for those that are gone.
  const current = new Map<string, MemoryRow | undefined>();
  const now = (row: MemoryRow) => (current.has(row.id) ? current.get(row.id) : row);
  for (const finding of findings) {
    const [older, newer] = [now(finding.older), now(finding.newer)];
    if (settled(finding) || !older || !newer || older.supersededBy !== null) continue;
    const held = await lockUnchanged(tx, context, [older, newer]);
    if (!held) continue;
    if (finding.kind === 'copy') {
      const merged = await mergeCopy(tx, context, older, newer);
      if (!merged) continue;
      current.set(older.id, merged).set(newer.id, undefined);
      counts.merged += 1;
    } else {
      // Its author has named the one that begins later as superseded.
      if ((await chainFrom(tx, context, newer.supersededBy)).has(older.id)) continue;
      const link = foundLink(newer.id);
      current.set(older.id, await changeMemory(tx, context, older, { change: 'updated', link }));
      counts.superseded += 1;
    }
  }
  return counts;
}

/** Those pairs of which nothing is decided yet. */
async function unsettled(tx: Tx, context: Context, pairs: readonly Pair[]): Promise<readonly Pair[]> {
  if (pairs.length === 0) return pairs;
  const isSettled = await findSettled(tx, context, pairs);
  return pairs.filter((pair) => !isSettled(pair));
}

/** Two memories of which no rule tells whether both hold, and how alike they are. */
interface DoubtfulPair extends Pair {
  readonly cosine: number;
}

/**
 * What some memories come to, and which pairs the language model is to decide.
 *
 * Where that is much, only the first of them, up to `last`.
 */
async function findAll(
  context: Context,
  { neighbours, calibration }: FoundNeighbours,
  failuresBefore: number,
  signal: AbortSignal,
) {
  const findings: Finding[] = [];
  const doubtful: DoubtfulPair[] = [];
  const seen = new Set<string>();
  let last: MemoryRow | undefined;
  for (const { memory, near } of neighbours) {
    if (findings.length >= MOST_FINDINGS) break;
    last = memory;
    const apart = near
      .map(({ row }) => row)
      .filter(
        (row) => !isCopy(memory, row) && !isCopy(row, memory) && areAheadAlike(memory, row, context.now),
      );
    const replacing = replacedOrReplacing(memory, apart);
    for (const { row, cosine } of near) {
      await yieldToEventLoop();
      const [older, newer] = isOlder(memory, row) ? [memory, row] : [row, memory];
      const pair = `${older.id} ${newer.id}`;
      if (seen.has(pair) || older.supersededBy !== null) continue;
      seen.add(pair);
      const kind = judgePair(older, newer, replacing.has(row), context.now);
      if (kind === 'copy' || kind === 'contradiction') findings.push({ kind, older, newer });
      if (kind === 'doubtful' && cosine >= calibration.related) doubtful.push({ older, newer, cosine });
    }
  }
  return { findings, last, ...(await nameContradictions(context, doubtful, failuresBefore, signal)) };
}

/** What the rules say of two memories; undefined where they may both hold. */
function judgePair(
  older: MemoryRow,
  newer: MemoryRow,
  isReplaced: boolean,
  now: Date,
): Finding['kind'] | 'doubtful' | undefined {
  if (isCopy(older, newer)) return 'copy';
  if (older.type !== 'semantic' || !areAheadAlike(older, newer, now)) return undefined;
  if (isReplaced) return 'contradiction';
  const mayDiffer = !mayContradict(contentSourceOf(newer), contentSourceOf(older));
  return mayDiffer || haveOtherSubjects(older, newer) ? undefined : 'doubtful';
}

/** Whether both are about the future, or neither. */
function areAheadAlike(one: MemoryRow, other: MemoryRow, now: Date): boolean {
  return isDatedAhead(one, now) === isDatedAhead(other, now);
}

/**
 * Those pairs that the language model names as contradictions. It is asked about many at once only to tell which these are: a
 * hostile text could speak for all pairs that are asked about with it. Each is decided by a question of its own.
 */
async function nameContradictions(
  context: Context,
  doubtful: readonly DoubtfulPair[],
  failuresBefore: number,
  signal: AbortSignal,
): Promise<{ readonly doubtful: readonly Pair[]; readonly modelFailures: number }> {
  const asks = context.languageModel !== undefined && failuresBefore < MOST_MODEL_FAILURES;
  if (!asks || doubtful.length === 0) return { doubtful: [], modelFailures: failuresBefore };
  const asked = doubtful.toSorted((one, other) => other.cosine - one.cosine).slice(0, MOST_ASKED);
  const pairs = asked.map(({ older, newer }) => ({ older: older.content, newer: newer.content }));
  const found = await findContradictions(context, pairs, signal);
  const named = [...new Set(found)].flatMap((place) => asked[place] ?? []);
  return { doubtful: named, modelFailures: found ? 0 : failuresBefore + 1 };
}

/** Those that a memory replaces, or that replace it, by the rules by which new facts are compared. */
function replacedOrReplacing(memory: MemoryRow, near: readonly MemoryRow[]): ReadonlySet<MemoryRow> {
  if (memory.type !== 'semantic') return new Set();
  const related = near.map((row) => ({ row, ...toRelated(row) }));
  const { supersedes, supersededBy } = compareFact(toCompared(memory), related, { merges: false });
  return new Set([...supersedes, ...(supersededBy ? [supersededBy] : [])].map((one) => one.other.row));
}

/** As it was when it was stored: what was told within the same hour may be a flood. */
function toCompared(row: MemoryRow): Compared {
  return { ...factOf(row), now: row.createdAt };
}

/** As one that holds: of those that do not, it is only asked what replaces them. */
function toRelated(row: MemoryRow): RelatedFact {
  return { ...factOf(row), createdAt: row.createdAt, supersededBy: null, supersededFrom: null };
}

function factOf(row: MemoryRow) {
  const { content, category, key, metadata } = row;
  return {
    content,
    category,
    source: contentSourceOf(row),
    key,
    metadata,
    start: startOf(row),
    isDistinct: false,
  };
}

function isOlder(one: MemoryRow, other: MemoryRow): boolean {
  const [a, b] = [one, other].map((row) =>
    [startOf(row).toISOString(), row.createdAt.toISOString(), row.id].join(' '),
  );
  return (a ?? '') < (b ?? '');
}
