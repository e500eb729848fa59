import { SOURCES, type Source } from '../../../kernel/contract/fields.ts';
import { isDatedAhead } from '../../records/row.ts';
import { FACT_TYPES } from '../../search-index/fact-type.ts';
import { asksForOlder, asksForPast, type ConflictLevel, conflictOf } from '../../supersession/asked.ts';
import { mayContradict } from '../../supersession/compare-fact.ts';
import type { Fact } from '../../supersession/fact/fact.ts';
import { readFact } from '../../supersession/fact/read-fact.ts';
import { judgeFacts } from '../../supersession/rules/judge.ts';
import { mayReplace } from '../../supersession/rules/may-replace.ts';
import { haveOtherSubjects } from '../../supersession/subject-fields.ts';
import { undecidedConflicts } from '../../supersession/undecided-conflicts.ts';
import type { Candidate } from '../candidates.ts';
import type { Recalled } from '../contract.ts';
import type { Scored } from './input.ts';
import { byEvidence, withEvidence } from './score-candidates.ts';

/** Results that the best one is compared with, so that a recall takes no longer. */
const MOST_COMPARED = 8;
/** In UTF-16 code units. Longer memories hold no single fact. */
const LONGEST = 300;
/** Least share of the older fact's evidence that the newer one must have: with less it says little about the question. */
const LEAST_SHARE = 0.35;
/** Memories beside the results that are compared with them, and the least share of the best one's evidence that they have. */
const MOST_BESIDE = 4;
const LEAST_BESIDE = 0.25;
/** Factor by which a newer fact is raised above the older one that it contradicts. */
const JUST_ABOVE = 1 + 1e-6;

/** Facts that one is told to be in conflict with: the newest of them. */
const MOST_NAMED = 5;

/** By id of an older fact the ids of newer ones that say otherwise, so that perhaps it holds no longer. */
export type Conflicts = ReadonlyMap<string, readonly string[]>;

/** All conflicts, which a recall shows, and those that are likely enough to put the newer fact first. */
export interface FoundConflicts {
  readonly all: Conflicts;
  readonly likely: Conflicts;
}

/** What is known of results beside what they say. */
interface ResultFacts {
  /** The moment that is asked about. */
  readonly at: Date;
  /** The writer of a result: its source, with its credential. */
  readonly writerOf: (id: string) => string | undefined;
  readonly evidenceOf: (id: string) => number;
}

/**
 * Compares the best fact among results with the facts behind it, and finds the pairs whose newer one answers the question otherwise
 * than the older. A fact from outside contradicts nothing that the agent or its human wrote, as it replaces nothing of theirs.
 *
 * @param results Best first.
 * @param query What was asked, or what of it is a question.
 */
export function conflictsAmong(
  results: readonly Recalled[],
  query: string,
  { at, writerOf, evidenceOf }: ResultFacts,
): FoundConflicts {
  const facts = results
    .filter((result) => isFactAt(result, at))
    .slice(0, MOST_COMPARED)
    .flatMap((result) => {
      const source = sourceOf(writerOf(result.id));
      if (source === undefined) return [];
      const { id, content, key = null, metadata = null } = result;
      const filed = { key, metadata };
      const start = isAhead(result, at) ? Number.NEGATIVE_INFINITY : startOf(result);
      return { id, source, filed, evidence: evidenceOf(id), start, fact: readFact(content) };
    });
  const conflicts = { all: new Map<string, string[]>(), likely: new Map<string, string[]>() };
  const [best, ...others] = facts;
  if (!best) return conflicts;
  const question = query.length <= LONGEST ? readFact(query) : undefined;
  for (const other of others) {
    const [older, newer] = isBefore(best, other) ? [best, other] : [other, best];
    if ((older.start === newer.start && !tellsOfPast(older)) || !newer.fact.single) continue;
    if (newer.evidence < LEAST_SHARE * older.evidence) continue;
    if (!mayContradict(newer.source, older.source) || haveOtherSubjects(older.filed, newer.filed)) continue;
    const beside = facts.filter((fact) => fact !== older && fact !== newer).map(({ fact }) => fact);
    // Nothing was decided about a fact that is dated ahead when the other was stored, so what the two say decides here.
    const asked = older.start === Number.NEGATIVE_INFINITY ? undefined : question;
    const conflict = conflictBetween(asked, older.fact, newer.fact, beside);
    if (conflict) addTo(conflicts.all, older.id, newer.id);
    if (conflict === 'likely') addTo(conflicts.likely, older.id, newer.id);
  }
  return conflicts;
}

/** Whether one fact is of an earlier time than another: by what it says, else by when it begins to hold. */
function isBefore(one: Dated, other: Dated): boolean {
  const [was, is] = [tellsOfPast(one), tellsOfPast(other)];
  return was === is ? one.start < other.start : was;
}

interface Dated {
  readonly start: number;
  readonly fact: Fact;
}

/** "Before, the office was in Emmendingen" */
function tellsOfPast({ fact }: Dated): boolean {
  return fact.past && !fact.changed;
}

/**
 * The conflicts that were found when candidates were stored and that nobody has decided, where both facts hold at the moment and
 * neither has changed since. Both must be candidates: what the caller may not read is none, and contradicts nothing.
 */
export function storedConflicts(candidates: readonly Candidate[], at: Date): Conflicts {
  if (candidates.every(({ conflictsWith }) => conflictsWith === null)) return new Map();
  const conflicts = new Map<string, Candidate[]>();
  const holding = candidates.filter((one) => holdsAt(one, at));
  for (const [older, newer] of undecidedConflicts(holding, beginningOf)) {
    addTo(conflicts, older.id, newer);
  }
  const named = (newer: readonly Candidate[]) =>
    newer
      .toSorted((a, b) => beginningOf(b) - beginningOf(a) || (a.id < b.id ? 1 : -1))
      .slice(0, MOST_NAMED)
      .map(({ id }) => id);
  return new Map([...conflicts].map(([id, newer]) => [id, named(newer)]));
}

/**
 * The stored conflicts that put the newer fact first. Where the question asks for what was, or for what only the
 * older fact is about, that one stays first.
 *
 * @param load Loads memories by their ids.
 */
export async function conflictsAsked(
  conflicts: Conflicts,
  query: string,
  load: (ids: readonly string[]) => Promise<readonly { readonly id: string; readonly content: string }[]>,
): Promise<Conflicts> {
  if (conflicts.size === 0 || query.length > LONGEST) return conflicts;
  const question = readFact(query);
  if (asksForPast(question)) return new Map();
  const loaded = await load([...new Set([...conflicts].flatMap(([id, newer]) => [id, ...newer]))]);
  const facts = new Map(loaded.map(({ id, content }) => [id, readFact(content)]));
  return new Map(
    [...conflicts].map(([id, newer]) => {
      const older = facts.get(id);
      const isAsked = (other: string) => {
        const fact = facts.get(other);
        return !older || !fact || !asksForOlder({ question, older, newer: fact });
      };
      return [id, newer.filter(isAsked)];
    }),
  );
}

function beginningOf({ validFrom, time }: Candidate): number {
  return validFrom?.getTime() ?? time;
}

function holdsAt(candidate: Candidate, at: Date): boolean {
  const { type, supersededBy, validTo } = candidate;
  if (!FACT_TYPES.includes(type) || supersededBy !== null) return false;
  return beginningOf(candidate) <= at.getTime() && (validTo === null || validTo > at);
}

/** All conflicts together, each of them once. */
export function joinConflicts(all: readonly Conflicts[]): Conflicts {
  const joined = new Map<string, readonly string[]>();
  for (const [id, newer] of all.flatMap((conflicts) => [...conflicts])) {
    joined.set(id, [...new Set([...(joined.get(id) ?? []), ...newer])]);
  }
  return joined;
}

function addTo<Newer>(conflicts: Map<string, Newer[]>, older: string, newer: Newer): void {
  conflicts.set(older, [...(conflicts.get(older) ?? []), newer]);
}

/** How surely the newer of two facts contradicts the older. Without a question, what the two say decides alone. */
function conflictBetween(
  question: Fact | undefined,
  older: Fact,
  newer: Fact,
  others: readonly Fact[],
): ConflictLevel | undefined {
  if (question && question.tokens.length > 0) return conflictOf({ question, older, newer, others });
  const saysOtherwise = mayReplace(older.content, newer) && judgeFacts(older, newer).verdict !== 'coexists';
  return saysOtherwise ? 'likely' : undefined;
}

function sourceOf(writer = ''): Source | undefined {
  const [name] = writer.split(' ');
  return SOURCES.find((source) => source === name);
}

function startOf({ valid_from, occurred_at }: Recalled): number {
  return Date.parse(valid_from ?? occurred_at);
}

function isFactAt(result: Recalled, at: Date): boolean {
  const { type, content, truncated, superseded_by, valid_to } = result;
  if (type !== 'semantic' && type !== 'working') return false;
  if (truncated || superseded_by || content.length > LONGEST) return false;
  const begins = startOf(result) <= at.getTime() || isAhead(result, at);
  return begins && (!valid_to || Date.parse(valid_to) > at.getTime());
}

/** Whether a result is dated ahead. It then counts as the oldest: a fact of now comes before it. */
function isAhead({ valid_from, occurred_at }: Recalled, at: Date): boolean {
  const hasOwnStart = valid_from !== undefined && valid_from !== occurred_at;
  return !hasOwnStart && isDatedAhead({ validFrom: null, occurredAt: new Date(occurred_at) }, at);
}

/** Gives a newer fact the evidence of the older one that it contradicts, and a little more, so that it comes first. */
export function raiseNewer(ranked: readonly Scored[], conflicts: Conflicts): readonly Scored[] {
  if (conflicts.size === 0) return ranked;
  const own = new Map(ranked.map(({ id, evidence }) => [id, evidence]));
  const evidenceOf = new Map(own);
  // Best first, so that what was raised may be raised again by what it stands before.
  for (const { id } of ranked) {
    const needed = (evidenceOf.get(id) ?? 0) * JUST_ABOVE;
    for (const newer of conflicts.get(id) ?? []) {
      if ((own.get(newer) ?? 0) < LEAST_SHARE * (own.get(id) ?? 0)) continue;
      evidenceOf.set(newer, Math.max(evidenceOf.get(newer) ?? 0, needed));
    }
  }
  return ranked.map((item) => withEvidence(item, evidenceOf.get(item.id) ?? item.evidence));
}

/**
 * The best memories that were not picked, to be compared with the results. A newer fact may contradict a result in words that are
 * further from the question; without it, the older fact would pass for true.
 *
 * @param rankings Of each tenant searched, best first.
 */
export function nextBest(
  rankings: readonly (readonly Scored[])[],
  results: readonly Scored[],
): readonly Scored[] {
  const [best] = results;
  const most = Math.min(MOST_BESIDE, MOST_COMPARED - results.length);
  if (!best || most <= 0) return [];
  const picked = new Set(results.map(({ id }) => id));
  return rankings
    .flatMap((ranked) => ranked.slice(0, results.length + most))
    .filter(({ id, evidence }) => !picked.has(id) && evidence >= LEAST_BESIDE * best.evidence)
    .sort(byEvidence)
    .slice(0, most);
}

/**
 * Adds to the results those memories beside them that contradict a result. Each comes before what it contradicts, and the last
 * results make room.
 */
export function withNewer(
  results: readonly Scored[],
  {
    beside,
    conflicts,
    most,
  }: { readonly beside: readonly Scored[]; readonly conflicts: Conflicts; readonly most: number },
): readonly Scored[] {
  const all = [...results, ...beside];
  // What only contradicts what is no result is none either.
  const concerned = new Set(results.map(({ id }) => id));
  for (const { id } of all) {
    for (const newer of (concerned.has(id) && conflicts.get(id)) || []) concerned.add(newer);
  }
  const raised = raiseNewer(all, conflicts);
  const shown = raised.slice(0, results.length);
  for (const [place, { evidence: own }] of beside.entries()) {
    const item = raised[results.length + place];
    if (!item || item.evidence === own || !concerned.has(item.id)) continue;
    const behind = shown.findIndex(({ evidence }) => evidence < item.evidence);
    shown.splice(behind < 0 ? shown.length : behind, 0, item);
  }
  return shown.slice(0, most);
}
