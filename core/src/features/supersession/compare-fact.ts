import type { Source } from '../../kernel/contract/fields.ts';
import { hard, keysOf } from './difference.ts';
import type { Fact } from './fact.ts';
import type { StoredFact } from './find-related.ts';
import { judgeFacts } from './judge.ts';
import { judgeSame } from './judge-same.ts';
import type { Judgement } from './judgement.ts';
import { mayReplace } from './may-replace.ts';
import { readFact } from './read-fact.ts';
import { commonStems, sharesMoreThanSubject } from './same-attribute.ts';
import { type Filed, haveOtherSubjects } from './subject-fields.ts';

/** Another memory, and why it was named. */
export interface Reasoned<Kin> {
  readonly kin: Kin;
  readonly reason: string;
}

/** Another memory of which it is not sure whether it holds beside the new one. */
interface Undecided<Kin> {
  readonly kin: Kin;
  /** Whether it begins to hold after the new one. */
  readonly isLater: boolean;
}

/** How a new memory relates to those that share words with it. */
export interface Settled<Kin = StoredFact> {
  /** A memory that says the same: the new one is not stored. */
  readonly same: Kin | undefined;
  /** The memory that begins to hold later, and supersedes the new one from then on. */
  readonly supersededBy: Reasoned<Kin> | undefined;
  /** Those that the new one supersedes. Where none of them is current, the last of those that were superseded before. */
  readonly supersedes: readonly Reasoned<Kin>[];
  /** Those that perhaps cannot hold beside the new one. */
  readonly conflicts: readonly Reasoned<Kin>[];
  /** The conflicts that a language model may decide. Where the rules are sure, but the author may not replace the other, it may not. */
  readonly undecided: readonly Undecided<Kin>[];
  /** Where the new one belongs to a flood, those that the flood may have superseded: they hold again. */
  readonly released: readonly Kin[];
}

/** Whether a compared memory changes one that exists, or is stored otherwise because of one. */
export function changesAny<Kin>({ same, supersededBy, supersedes, released }: Settled<Kin>): boolean {
  return Boolean(same || supersededBy) || supersedes.length > 0 || released.length > 0;
}

/** A new memory, as it is compared. */
export interface Compared extends Filed {
  readonly content: string;
  readonly category: string | null;
  readonly source: Source;
  readonly now: Date;
  readonly start: Date;
  /** Whether it has fields of its own (a key, times, metadata) by which it differs from a memory with the same words. */
  readonly isDistinct: boolean;
}

/** What a comparison reads of a stored memory. */
export type Kin = Omit<StoredFact, 'id' | 'version'>;

/** Conflicts that an answer names. */
const MOST_CONFLICTS = 5;
/** So many facts within an hour are a flood of near-copies, of which none replaces anything. */
const FLOOD = 4;
const FLOOD_MS = 3_600_000;
/** A source replaces what sources of the same or a lower rank wrote: nothing from outside replaces what the agent or its human wrote. */
const RANKS: Readonly<Record<Source, number>> = {
  human: 2,
  agent: 2,
  reflection: 2,
  sync: 1,
  import: 1,
  webhook: 1,
};

/**
 * Compares a new memory with those that share words with it. What counts is when facts begin to hold, not when they are
 * stored: one that begins later replaces one that begins earlier.
 *
 * @param merges Whether what says the same again is no second memory.
 */
export function settle<Known extends Kin>(
  added: Compared,
  related: readonly Known[],
  { merges }: { readonly merges: boolean },
): Settled<Known> {
  const same = merges ? related.find((kin) => saysTheSame(kin, added)) : undefined;
  const judged = same ? [] : judgeAll(added, related);
  const replacing = judged.filter(({ verdict }) => verdict === 'replaces');
  const isFlood = isOneOfFlood(added, related, replacing);
  const sure = isFlood ? [] : replacing.filter(({ kin, isLater }) => mayReplaceOther(added, kin, isLater));
  const later = sure
    .filter(({ isLater }) => isLater)
    .sort((a, b) => a.kin.start.getTime() - b.kin.start.getTime());
  const doubtful = judged.filter((one) => !sure.includes(one) && isCurrent(one.kin));
  return {
    same,
    // Of several that follow, the next one ends it.
    supersededBy: later[0],
    supersedes: endedBy(added, related, sure),
    conflicts: doubtful.slice(0, MOST_CONFLICTS),
    undecided: doubtful
      .slice(0, MOST_CONFLICTS)
      .filter(({ verdict, kin, isLater }) => verdict === 'conflicts' && mayReplaceOther(added, kin, isLater)),
    released: isFlood ? replacing.map(({ kin }) => kin) : [],
  };
}

/**
 * Whether the new memory belongs to a flood of near-copies: it would replace several recent facts that hold side by side, or several
 * recent facts that hold, or say the same as it does, would replace the same older one. A status that changes often is no flood,
 * where each fact only ended the one before.
 */
function isOneOfFlood<Known extends Kin>(
  { now, content }: Compared,
  related: readonly Known[],
  replacing: readonly Judged<Known>[],
): boolean {
  const isRecent = ({ createdAt }: Known) => now.getTime() - createdAt.getTime() < FLOOD_MS;
  const recent = related.filter(isRecent);
  const contents = (all: readonly Known[]) => new Set(all.map((kin) => kin.content)).size;
  const beside = replacing.map(({ kin }) => kin).filter((kin) => isCurrent(kin) && isRecent(kin));
  if (contents(beside) >= FLOOD) return true;
  return replacing.some(({ kin: older, isLater }) => {
    if (isLater) return false;
    const fact = readFact(older.content);
    const claimed = newWords(fact, readFact(content));
    const claiming = recent.filter((kin) => {
      const theirs = readFact(kin.content);
      const counts = isCurrent(kin) || isMostlyShared(claimed, newWords(fact, theirs));
      return counts && kin.start >= older.start && judgeFacts(fact, theirs).verdict === 'replaces';
    });
    // The new one is the last of them.
    return contents(claiming) + 1 >= FLOOD;
  });
}

/** The telling words of a fact that another has not; numbers only where there is nothing else, since they number copies. */
function newWords(older: Fact, newer: Fact): readonly string[] {
  const known = keysOf(older.tokens);
  const added = hard(newer.tokens).filter(({ key }) => !known.has(key));
  const words = added.filter(({ kind }) => kind !== 'number');
  return [...keysOf(words.length > 0 ? words : added)];
}

function isMostlyShared(some: readonly string[], others: readonly string[]): boolean {
  const shared = some.filter((key) => others.includes(key)).length;
  return 2 * shared > some.length + others.length - shared;
}

interface Judged<Known> extends Reasoned<Known>, Undecided<Known> {
  readonly verdict: Judgement['verdict'];
}

/** The judgements about those related facts with which a new one does not simply coexist. */
function judgeAll<Known extends Kin>(added: Compared, related: readonly Known[]): Judged<Known>[] {
  const judged = related.flatMap((kin) => judge(added, kin));
  if (judged.length === 0) return judged;
  const concerned = new Set(judged.map(({ kin }) => kin));
  const beside = related.filter((kin) => isCurrent(kin) && !concerned.has(kin));
  const common = commonStems(beside.map(({ content }) => readFact(content)));
  const fact = readFact(added.content);
  return judged.filter(({ kin, isLater }) => {
    const theirs = readFact(kin.content);
    return isLater
      ? sharesMoreThanSubject(fact, theirs, common)
      : sharesMoreThanSubject(theirs, fact, common);
  });
}

function judge<Known extends Kin>(added: Compared, kin: Known): Judged<Known>[] {
  const { content, start, now } = added;
  if (haveOtherSubjects(added, kin)) return [];
  const fact = readFact(content);
  const isLater = kin.start > start || (kin.start >= start && kin.createdAt > now);
  if (!fact.single || (!isLater && !mayReplace(kin.content, fact))) return [];
  const theirs = readFact(kin.content);
  const { verdict, reason } = isLater ? judgeFacts(fact, theirs) : judgeFacts(theirs, fact);
  return verdict === 'coexists' ? [] : [{ kin, verdict, reason, isLater }];
}

/**
 * Whether a stored memory says the same as a new one, which then need not be stored. One that begins to hold later does not. Nor does
 * one from outside stand for what the agent or its human says: an undo may take it back with all that came with it.
 */
function saysTheSame(kin: Kin, { content, category, source, start, isDistinct }: Compared): boolean {
  if (!isCurrent(kin) || isDistinct || kin.isDistinct || kin.category !== category) return false;
  if (kin.start > start || RANKS[kin.source] < RANKS[source]) return false;
  return judgeSame(kin.content, content) === 'same';
}

function isCurrent({ supersededBy, supersededFrom }: Kin): boolean {
  return supersededBy === null || supersededFrom === null;
}

/** Whether an earlier fact still holds when the new one begins, so that this can end it. */
function isEndedBy(kin: Kin, { start }: Compared): boolean {
  return isCurrent(kin) || (kin.supersededFrom !== null && kin.supersededFrom > start);
}

/**
 * The facts that a new one ends. Of a long chain only some facts are among the related ones, perhaps none that holds when the new one
 * begins. Then the last that ended before is given for it, from which the chain can be followed.
 */
function endedBy<Known extends Kin>(
  added: Compared,
  related: readonly Known[],
  sure: readonly Judged<Known>[],
): readonly Reasoned<Known>[] {
  const ended = sure.filter(({ isLater, kin }) => !isLater && isEndedBy(kin, added));
  if (ended.length > 0) return ended;
  const said = readFact(added.content).letters;
  const [former] = related
    .filter((kin) => kin.start <= added.start && !isEndedBy(kin, added))
    .filter((kin) => sure.some((one) => one.kin === kin) || readFact(kin.content).letters === said)
    .sort((a, b) => b.start.getTime() - a.start.getTime());
  return former ? [{ kin: former, reason: '' }] : [];
}

/** What decides whether a fact takes the place of another. */
interface Written extends Filed {
  readonly content: string;
  readonly source: Source;
}

/** Why a fact takes the place of one that began before it; undefined where it does not. */
export function reasonToReplace(older: Written, newer: Written): string | undefined {
  if (!mayContradict(newer.source, older.source) || haveOtherSubjects(older, newer)) return undefined;
  const { verdict, reason } = judgeFacts(readFact(older.content), readFact(newer.content));
  return verdict === 'replaces' ? reason : undefined;
}

/** Whether the source of the newer of two facts may replace what the source of the older wrote. */
function mayReplaceOther(added: Compared, kin: Kin, isLater: boolean): boolean {
  const [older, newer] = isLater ? [added, kin] : [kin, added];
  return mayContradict(newer.source, older.source);
}

/** Whether what one source says counts against what another says. */
export function mayContradict(newer: Source, older: Source): boolean {
  return RANKS[newer] >= RANKS[older];
}
