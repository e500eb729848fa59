import { genericCalibration } from '../embedding/embedder.ts';
import type { Context } from '../engine/context.ts';
import type { JobState, WriteStep } from '../jobs/runner.ts';
import { changeMemory } from '../memory/change.ts';
import type { MemoryRow } from '../memory/schema.ts';
import { keepReflection } from './config.ts';
import { contradicts } from './contradiction.ts';
import { findSettled, loadChanged, loadNeighbours, lockUnchanged, type Neighbours } from './knowledge.ts';
import { findContradictions } from './model.ts';
import { sayingOf } from './said-alike.ts';
import { type Checkpoint, MOST_MODEL_FAILURES, type ReflectInput } from './state.ts';
import { mergeCopy } from './write-digest.ts';

type Running = JobState<ReflectInput, Checkpoint> & { readonly checkpoint: Checkpoint };

/** Pairs a model is asked about at once. */
const MOST_ASKED = 40;

/** Two memories that stand in each other's way. */
interface Finding {
  readonly kind: 'copy' | 'contradiction';
  readonly older: MemoryRow;
  readonly newer: MemoryRow;
}

/** Compares some of the changed knowledge with what is most like it: copies are merged, contradictions marked. */
export async function compareSome(
  context: Context,
  { checkpoint, done }: Running,
  signal: AbortSignal,
): Promise<WriteStep<Checkpoint>> {
  const neighbours = await context.read(async (tx) => {
    const changed = await loadChanged(tx, context, {
      since: checkpoint.comparedSince,
      until: checkpoint.startedAt,
      after: checkpoint.compared,
    });
    return loadNeighbours(tx, context, changed);
  });
  const last = neighbours.at(-1)?.memory;
  if (!last) {
    return async (tx) => {
      await keepReflection(tx, context.tenantId, { comparedUntil: new Date(checkpoint.startedAt) });
      return { checkpoint, done, finished: true };
    };
  }
  const { findings, modelFailures } = await findAll(context, neighbours, checkpoint.modelFailures, signal);
  return async (tx) => {
    const settled = await findSettled(tx, context, findings);
    const counts = { ...checkpoint.counts };
    const touched = new Set<string>();
    for (const finding of findings) {
      const { kind, older, newer } = finding;
      if (settled(finding) || touched.has(older.id) || touched.has(newer.id)) continue;
      const held = await lockUnchanged(tx, context, [older, newer]);
      if (!held) continue;
      if (kind === 'copy') {
        await mergeCopy(tx, context, older, newer);
        touched.add(older.id).add(newer.id);
        counts.merged += 1;
      } else {
        await changeMemory(tx, context, older, { change: 'updated', supersededBy: newer.id });
        touched.add(older.id);
        counts.superseded += 1;
      }
    }
    return {
      checkpoint: {
        ...checkpoint,
        compared: { at: last.updatedAt.toISOString(), id: last.id },
        modelFailures,
        counts,
      },
      done,
      result: counts,
    };
  };
}

async function findAll(
  context: Context,
  neighbours: readonly Neighbours[],
  failuresBefore: number,
  signal: AbortSignal,
) {
  const findings: Finding[] = [];
  const doubtful: Finding[] = [];
  const seen = new Set<string>();
  for (const { memory, near } of neighbours) {
    for (const { row, cosine } of near) {
      const [older, newer] = isOlder(memory, row) ? [memory, row] : [row, memory];
      const pair = `${older.id} ${newer.id}`;
      if (seen.has(pair) || older.supersededBy !== null) continue;
      seen.add(pair);
      if (isCopy(older, newer)) findings.push({ kind: 'copy', older, newer });
      else if (older.type !== 'semantic') continue;
      else if (contradicts(older.content, newer.content)) {
        findings.push({ kind: 'contradiction', older, newer });
      } else if (cosine >= (context.embedder.calibration ?? genericCalibration).related) {
        doubtful.push({ kind: 'contradiction', older, newer });
      }
    }
  }
  const asks = context.llm !== undefined && failuresBefore < MOST_MODEL_FAILURES && doubtful.length > 0;
  if (!asks) return { findings, modelFailures: failuresBefore };
  const asked = doubtful.slice(0, MOST_ASKED);
  const pairs = asked.map(({ older, newer }) => ({ older: older.content, newer: newer.content }));
  const found = await findContradictions(context, pairs, signal);
  const more = (found ?? []).flatMap((place) => asked[place] ?? []);
  return { findings: [...findings, ...more], modelFailures: found ? 0 : failuresBefore + 1 };
}

function isCopy(older: MemoryRow, newer: MemoryRow): boolean {
  const saying = sayingOf(older.content);
  return (
    saying !== undefined &&
    saying === sayingOf(newer.content) &&
    // Its author finds it by its key.
    newer.key === null &&
    older.category === newer.category &&
    older.sessionId === newer.sessionId
  );
}

function isOlder(one: MemoryRow, other: MemoryRow): boolean {
  const [a, b] = [one, other].map(({ occurredAt, createdAt, id }) =>
    [occurredAt.toISOString(), createdAt.toISOString(), id].join(' '),
  );
  return (a ?? '') < (b ?? '');
}
