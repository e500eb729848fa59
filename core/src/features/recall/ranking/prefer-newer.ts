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
/** How chains of memories that supersede each other are read. */
export interface Chains {
  readonly load: Candidates['load'];
  /** By id, what supersedes it, of all memories on the chains that begin with these ids: archived and withheld ones, too. */
  readonly follow: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** A memory that is in force at a moment in place of another. */
interface Successor {
  readonly id: string;
  readonly isOver: boolean;
}

/** By the id of what is superseded at a moment. */
export type Successors = ReadonlyMap<string, Successor>;

/**
 * Follows each superseded candidate along its chain to the memory that is in force at a moment. Memories that are archived or withheld
 * from the caller, have expired or begin to hold only later are passed over. A candidate whose successor the filters leave out keeps
 * its place.
 */
export async function findSuccessors(
  candidates: readonly Candidate[],
  { at, fits, isOver }: Pick<Validity, 'at' | 'fits' | 'isOver'>,
  { load, follow }: Chains,
): Promise<Successors> {
  const superseded = candidates.filter(({ supersededBy }) => supersededBy !== null);
  const firsts = [...new Set(superseded.flatMap(({ supersededBy }) => supersededBy ?? []))];
  if (firsts.length === 0) return new Map();
  const known = new Map((await load(firsts)).map((memory) => [memory.id, memory]));
  // Mostly the chains end there.
  const open = firsts.filter((id) => known.get(id)?.supersededBy !== null);
  const links = open.length === 0 ? new Map<string, string>() : await follow(open);
  const further = [...new Set(links.values())].filter((id) => !known.has(id));
  if (further.length > 0) for (const memory of await load(further)) known.set(memory.id, memory);
  const successors = new Map<string, Successor>();
  for (const { id, supersededBy } of superseded) {
    const chain = chainFrom(supersededBy ?? '', links).flatMap((other) => known.get(other) ?? []);
    const last = chain.filter((memory) => isInForce(memory, at)).at(-1);
    if (last && last.id !== id && fits(last)) successors.set(id, { id: last.id, isOver: isOver(last) });
  }
  return successors;
}

/** The ids of a chain from this one on; a circle ends where it comes back. */
function chainFrom(first: string, links: ReadonlyMap<string, string>): string[] {
  const chain = new Set<string>();
  for (let id: string | undefined = first; id !== undefined && !chain.has(id); id = links.get(id))
    chain.add(id);
  return [...chain];
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
