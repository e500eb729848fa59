import { startOf } from '../../records/row.ts';
import type { Candidate, Candidates, MemoryView } from '../candidates.ts';
import type { Scored } from './input.ts';
import { byEvidence, NO_WORDS, withEvidence } from './score-candidates.ts';

/** Which facts a recall wants: those that hold at a moment, alone or before those that are superseded then. */
export interface Validity {
  readonly at: Date;
  readonly includeSuperseded: boolean;
  /** Whether a newer memory passes the filters, whenever it holds. */
  readonly fits: (memory: MemoryView) => boolean;
  /** Whether a newer memory is no result because what it says has ended by then. */
  readonly isOver: (memory: MemoryView) => boolean;
}

/** Share of its evidence that a fact keeps that does not hold. */
const FORMER_KEEPS = 0.75;
/** Most loads that follow the chains of all candidates together. Few recalls need more than one. */
const MOST_LOADS = 64;

/** A memory that is in force at a moment in place of another. */
interface Successor {
  readonly id: string;
  readonly isOver: boolean;
}

/** By the id of what is superseded at a moment. */
export type Successors = ReadonlyMap<string, Successor>;

/**
 * Follows each superseded candidate along its chain to the memory that is in force at a moment. Memories that have expired or begin
 * to hold only later are passed over. One that is archived or withheld from the caller ends the chain. A candidate whose successor
 * the filters leave out keeps its place.
 */
export async function findSuccessors(
  candidates: readonly Candidate[],
  { at, fits, isOver }: Pick<Validity, 'at' | 'fits' | 'isOver'>,
  load: Candidates['load'],
): Promise<Successors> {
  const known = new Map<string, MemoryView | undefined>();
  const inForce = (memory: MemoryView) => isInForce(memory, at);
  const superseded = candidates.filter(({ supersededBy }) => supersededBy !== null);
  let wanted = superseded.map(({ supersededBy }) => supersededBy ?? '');
  for (let loads = 0; wanted.length > 0 && loads < MOST_LOADS; loads += 1) {
    const loaded = await load([...new Set(wanted)]);
    for (const id of wanted) known.set(id, undefined);
    for (const memory of loaded) known.set(memory.id, memory);
    const next = loaded.flatMap(({ supersededBy }) => supersededBy ?? []);
    wanted = next.filter((id) => !known.has(id));
  }
  const successors = new Map<string, Successor>();
  for (const { id, supersededBy } of superseded) {
    const last = endOfChain(supersededBy, known, inForce);
    if (last && last.id !== id && fits(last)) successors.set(id, { id: last.id, isOver: isOver(last) });
  }
  return successors;
}

/** The last memory in force of a chain that begins with this id. */
function endOfChain(
  first: string | null,
  known: ReadonlyMap<string, MemoryView | undefined>,
  inForce: (memory: MemoryView) => boolean,
): MemoryView | undefined {
  let last: MemoryView | undefined;
  let next = first;
  // Each known memory once: a circle ends.
  for (let hop = 0; next !== null && hop < known.size; hop += 1) {
    const memory = known.get(next);
    if (!memory) break;
    if (inForce(memory)) last = memory;
    next = memory.supersededBy;
  }
  return last;
}

function isInForce(memory: MemoryView, at: Date): boolean {
  return startOf(memory) <= at && (memory.expiresAt === null || memory.expiresAt > at);
}

/**
 * Ranks the facts that hold in place of those that they supersede: evidence for the former fact counts for its successor, too.
 * Superseded facts are left out, or come behind where the caller wants them. Facts that have ended by themselves, or begin later,
 * come behind.
 */
export function preferNewer(
  ranked: readonly Scored[],
  candidates: readonly Candidate[],
  successors: Successors,
  { at, includeSuperseded }: Pick<Validity, 'at' | 'includeSuperseded'>,
): readonly Scored[] {
  const idle = new Set(candidates.filter((candidate) => !holds(candidate, at)).map(({ id }) => id));
  if (successors.size === 0 && idle.size === 0) return ranked;
  const evidenceOf = new Map<string, Scored>();
  for (const scored of ranked) {
    const isFormer = successors.has(scored.id);
    if (isFormer && !includeSuperseded) continue;
    const keeps = isFormer || idle.has(scored.id) ? FORMER_KEEPS : 1;
    evidenceOf.set(scored.id, withEvidence(scored, keeps * scored.evidence));
  }
  for (const { id, evidence } of ranked) {
    const newer = successors.get(id);
    if (newer === undefined || newer.isOver) continue;
    const own = evidenceOf.get(newer.id) ?? { id: newer.id, evidence: 0, words: NO_WORDS };
    evidenceOf.set(newer.id, withEvidence(own, Math.max(own.evidence, evidence)));
  }
  return [...evidenceOf.values()].sort(byEvidence);
}

/** Whether a fact holds at a moment by the times that its author gave. */
function holds({ validFrom, validTo }: Candidate, at: Date): boolean {
  return (validFrom === null || validFrom <= at) && (validTo === null || validTo > at);
}
