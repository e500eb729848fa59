import type { Source } from '../../kernel/contract/fields.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import { contentSourceOf } from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';
import type { Fact } from './fact/fact.ts';
import { readFact } from './fact/read-fact.ts';
import type { StoredFact } from './find-related.ts';
import { hard, keysOf } from './rules/difference.ts';
import { judgeFacts } from './rules/judge.ts';
import { judgeSame } from './rules/judge-same.ts';
import type { Judgement } from './rules/judgement.ts';
import { mayReplace } from './rules/may-replace.ts';
import { isBetween, SAID_AGAIN, saysAgain } from './rules/said-again.ts';
import { commonStems, sharesMoreThanSubject } from './rules/same-attribute.ts';
import { type Filed, haveOtherSubjects } from './subject-fields.ts';

/** Another memory, and why it was named. */
interface Reasoned<Other> {
  readonly other: Other;
  readonly reason: string;
}

/** Another memory of which it is not sure whether it holds beside the new one. */
interface Undecided<Other> {
  readonly other: Other;
  /** Whether it begins to hold after the new one. */
  readonly isLater: boolean;
}

/** A memory that replaces another one, since it says again what that had replaced. */
interface Returned<Other> {
  readonly older: Other;
  readonly newer: Other;
}

/** How a new memory relates to those that share words with it. */
export interface FactComparison<Other = StoredFact> {
  /** A memory that says the same: the new one is not stored. */
  readonly same: Other | undefined;
  /** The memory that begins to hold later, and supersedes the new one from then on. */
  readonly supersededBy: Reasoned<Other> | undefined;
  /** Those that the new one supersedes. Where none of them is current, the last of those that were superseded before. */
  readonly supersedes: readonly Reasoned<Other>[];
  /** Those that perhaps cannot hold beside the new one. */
  readonly conflicts: readonly Reasoned<Other>[];
  /** The conflicts that a language model may decide. Where the rules are sure, but the author may not replace the other, it may not. */
  readonly undecided: readonly Undecided<Other>[];
  /** Pairs of others of which the newer says again what the new one says, and the older had come between: that one is replaced. */
  readonly returned: readonly Returned<Other>[];
  /** Where the new one belongs to a flood, those that the flood may have superseded: they hold again. */
  readonly released: readonly Other[];
}

/** Whether a compared memory changes one that exists, or is stored otherwise because of one. */
export function changesAny<Other>(comparison: FactComparison<Other>): boolean {
  const { same, supersededBy, supersedes, returned, released } = comparison;
  return Boolean(same || supersededBy) || [...supersedes, ...returned, ...released].length > 0;
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
export type RelatedFact = Omit<StoredFact, 'id' | 'version'>;

/** Conflicts that an answer names. */
const MOST_CONFLICTS = 5;
/** So many facts within an hour are a flood of near-copies, of which none replaces anything. */
const FLOOD = 4;
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
export function compareFact<Known extends RelatedFact>(
  added: Compared,
  related: readonly Known[],
  { merges }: { readonly merges: boolean },
): FactComparison<Known> {
  const same = merges ? related.find((other) => saysTheSame(other, added)) : undefined;
  const judged = same ? [] : withReturning(added, related, judgeAll(added, related));
  const replacing = judged.filter(({ verdict }) => verdict === 'replaces');
  const isFlood = isOneOfFlood(added, related, replacing);
  const sure = isFlood
    ? []
    : replacing.filter(({ other, isLater }) => mayReplaceOther(added, other, isLater));
  const later = sure
    .filter(({ isLater }) => isLater)
    // Of several of one moment the first told comes first in their chain.
    .sort(
      ({ other: a }, { other: b }) =>
        a.start.getTime() - b.start.getTime() || a.createdAt.getTime() - b.createdAt.getTime(),
    );
  const conflicts = judged
    .filter((one) => !sure.includes(one) && isCurrent(one.other))
    .slice(0, MOST_CONFLICTS);
  return {
    same,
    // Of several that follow, the next one ends it.
    supersededBy: later[0],
    supersedes: endedBy(added, related, sure),
    conflicts,
    undecided: conflicts.filter(
      ({ verdict, other, isLater }) => verdict === 'conflicts' && mayReplaceOther(added, other, isLater),
    ),
    returned: isFlood || same ? [] : returnedAmong(added, related, later),
    released: isFlood ? replacing.map(({ other }) => other) : [],
  };
}

/**
 * Whether the new memory belongs to a flood of near-copies: it would replace several recent facts that hold side by side, or several
 * recent facts that hold, or say the same as it does, would replace the same older one. A status that changes often is no flood,
 * where each fact only ended the one before.
 */
function isOneOfFlood<Known extends RelatedFact>(
  { now, content }: Compared,
  related: readonly Known[],
  replacing: readonly Judged<Known>[],
): boolean {
  const isRecent = ({ createdAt }: Known) => now.getTime() - createdAt.getTime() < HOUR_MS;
  const recent = related.filter(isRecent);
  const contents = (all: readonly Known[]) => new Set(all.map((other) => other.content)).size;
  const beside = replacing.map(({ other }) => other).filter((other) => isCurrent(other) && isRecent(other));
  if (contents(beside) >= FLOOD) return true;
  return replacing.some(({ other: older, isLater }) => {
    if (isLater) return false;
    const fact = readFact(older.content);
    const claimed = newWords(fact, readFact(content));
    const claiming = recent.filter((other) => {
      const theirs = readFact(other.content);
      const counts = isCurrent(other) || isMostlyShared(claimed, newWords(fact, theirs));
      return counts && other.start >= older.start && judgeFacts(fact, theirs).verdict === 'replaces';
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

/**
 * Adds to the judgements that what had come between a fact and the same said again is replaced, whichever of the three is told last;
 * by themselves the rules may see only a doubt there. See `returnedAmong` for where it is the first of them.
 */
function withReturning<Known extends RelatedFact>(
  added: Compared,
  related: readonly Known[],
  judged: readonly Judged<Known>[],
): Judged<Known>[] {
  const returning = related.flatMap((other): Judged<Known>[] => {
    const isLater = other.start > added.start;
    if (judged.some((one) => one.other === other && one.verdict === 'replaces')) return [];
    const areSame = readFact(other.content).letters === readFact(added.content).letters;
    if (areSame || haveOtherSubjects(added, other)) return [];
    const [between, again] = isLater ? [added, other] : [other, added];
    const isFormer = (former: Known) =>
      former !== other && (isLater || !isCurrent(former)) && isBetween(former, between, again);
    return related.some(isFormer) ? [{ other, verdict: 'replaces', reason: SAID_AGAIN, isLater }] : [];
  });
  return [...judged.filter(({ other }) => !returning.some((one) => one.other === other)), ...returning];
}

/** Those among related facts that say again what the new one says, each with what replaced the new one before. */
function returnedAmong<Known extends RelatedFact>(
  added: Compared,
  related: readonly Known[],
  later: readonly Judged<Known>[],
): Returned<Known>[] {
  return later
    .filter(({ other }) => isCurrent(other))
    .flatMap(({ other: older }) => {
      const [newer] = related
        .filter((other) => other !== older && isCurrent(other) && isBetween(added, older, other))
        .filter((other) => mayContradict(other.source, older.source) && !haveOtherSubjects(older, other))
        .sort((a, b) => a.start.getTime() - b.start.getTime());
      return newer ? [{ older, newer }] : [];
    });
}

interface Judged<Known> extends Reasoned<Known>, Undecided<Known> {
  readonly verdict: Judgement['verdict'];
}

/** The judgements about those related facts with which a new one does not simply coexist. */
function judgeAll<Known extends RelatedFact>(added: Compared, related: readonly Known[]): Judged<Known>[] {
  const judged = related.flatMap((other) => judge(added, other));
  if (judged.length === 0) return judged;
  const concerned = new Set(judged.map(({ other }) => other));
  const beside = related.filter((other) => isCurrent(other) && !concerned.has(other));
  const common = commonStems(beside.map(({ content }) => readFact(content)));
  const fact = readFact(added.content);
  return judged.filter(({ other, isLater }) => {
    const theirs = readFact(other.content);
    const [older, newer] = isLater ? [fact, theirs] : [theirs, fact];
    return sharesMoreThanSubject(older, newer, common);
  });
}

function judge<Known extends RelatedFact>(added: Compared, other: Known): Judged<Known>[] {
  const { content, start, now } = added;
  if (haveOtherSubjects(added, other)) return [];
  const fact = readFact(content);
  const isLater = other.start > start || (other.start >= start && other.createdAt > now);
  if (!fact.single || (!isLater && !mayReplace(other.content, fact))) return [];
  const theirs = readFact(other.content);
  const { verdict, reason } = isLater ? judgeFacts(fact, theirs) : judgeFacts(theirs, fact);
  return verdict === 'coexists' ? [] : [{ other, verdict, reason, isLater }];
}

/**
 * Whether a stored memory says the same as a new one, which then need not be stored. One that begins to hold later does not. Nor does
 * one from outside stand for what the agent or its human says: an undo may take it back with all that came with it.
 */
function saysTheSame(other: RelatedFact, added: Compared): boolean {
  const { content, category, source, start, isDistinct } = added;
  if (isDistinct || other.isDistinct || other.category !== category) return false;
  // What has ended since still says the same of the moment at which both begin.
  const isOfThen = other.start.getTime() === start.getTime() && isEndedBy(other, added);
  if (!isCurrent(other) && !isOfThen) return false;
  if (other.start > start || RANKS[other.source] < RANKS[source]) return false;
  return judgeSame(other.content, content) === 'same';
}

function isCurrent({ supersededBy, supersededFrom }: RelatedFact): boolean {
  return supersededBy === null || supersededFrom === null;
}

/** Whether an earlier fact still holds when the new one begins, so that this can end it. */
function isEndedBy(other: RelatedFact, { start }: Compared): boolean {
  return isCurrent(other) || (other.supersededFrom !== null && other.supersededFrom > start);
}

/**
 * The facts that a new one ends. Of a long chain only some facts are among the related ones, perhaps none that holds when the new one
 * begins. Then the last that ended before is given for it, from which the chain can be followed.
 */
function endedBy<Known extends RelatedFact>(
  added: Compared,
  related: readonly Known[],
  sure: readonly Judged<Known>[],
): readonly Reasoned<Known>[] {
  const ended = sure.filter(({ isLater, other }) => !isLater && isEndedBy(other, added));
  if (ended.length > 0) return ended;
  const former = related
    .filter((other) => other.start <= added.start && !isEndedBy(other, added))
    .map((other) => ({ other, reason: saysAgain(other.content, added.content) ? SAID_AGAIN : '' }))
    .filter(({ other, reason }) => reason !== '' || sure.some((one) => one.other === other))
    .sort((a, b) => b.other.start.getTime() - a.other.start.getTime());
  // What had replaced it in the end is replaced, also where the rules see only a doubt there.
  return former.slice(0, 1);
}

/** What decides whether a fact takes the place of another. */
interface Written extends Filed, Pick<MemoryRow, 'content' | 'contentSource' | 'source'> {}

/**
 * Why a fact takes the place of one that began before it; undefined where it does not.
 *
 * @param otherwise The reason where the rules see none; default: none.
 */
export function reasonToReplace(older: Written, newer: Written, otherwise = ''): string | undefined {
  if (!mayContradict(contentSourceOf(newer), contentSourceOf(older)) || haveOtherSubjects(older, newer))
    return undefined;
  const { verdict, reason } = judgeFacts(readFact(older.content), readFact(newer.content));
  return verdict === 'replaces' ? reason : otherwise || undefined;
}

/** Whether the source of the newer of two facts may replace what the source of the older wrote. */
function mayReplaceOther(added: Compared, other: RelatedFact, isLater: boolean): boolean {
  const [older, newer] = isLater ? [added, other] : [other, added];
  return mayContradict(newer.source, older.source);
}

/** Whether what one source says counts against what another says. */
export function mayContradict(newer: Source, older: Source): boolean {
  return RANKS[newer] >= RANKS[older];
}
