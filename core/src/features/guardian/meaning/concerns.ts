import { hasUnseen } from '../../../text/unseen.ts';
import { lower, type MeaningUnit } from './meaning-unit.ts';
import { DATE_WORDS, MODALS, NEGATIONS, OPPOSITES, PRONOUNS, SCOPE_WORDS, UNITS } from './words.ts';

/** Why a change cannot be left to time. */
export interface Concern {
  /** What a human is told, such as "a negation was removed". Never quotes the texts, which may be withheld from them. */
  readonly says: string;
  /** How far it may carry the meaning, 0..1. */
  readonly weight: number;
}

/** A class of words or numbers, by what is told of a change to one. */
interface Class {
  readonly noun: string;
  readonly weight: number;
  readonly has: (unit: MeaningUnit) => boolean;
}

const isListed = (list: ReadonlySet<string>) => (unit: MeaningUnit) => list.has(lower(unit));

// The first class that a word belongs to names it.
const CLASSES: readonly Class[] = [
  {
    noun: 'a negation',
    weight: 0.9,
    has: (unit) => NEGATIONS.has(lower(unit)) || /n['’]t$/.test(lower(unit)),
  },
  { noun: 'what must or may be', weight: 0.8, has: isListed(MODALS) },
  { noun: 'a limit or condition', weight: 0.8, has: isListed(SCOPE_WORDS) },
  { noun: 'a date', weight: 0.7, has: (unit) => isListed(DATE_WORDS)(unit) || DATE.test(unit.text) },
  { noun: 'an address', weight: 0.8, has: ({ kind, text }) => kind === 'exact' && ADDRESS.test(text) },
  { noun: 'a number', weight: 0.7, has: ({ text }) => /\p{N}/u.test(text) },
  { noun: 'a unit', weight: 0.7, has: isListed(UNITS) },
  { noun: 'a person spoken of', weight: 0.7, has: isListed(PRONOUNS) },
  { noun: 'a name', weight: 0.7, has: (unit) => !unit.startsSentence && /^\p{Lu}/u.test(unit.text) },
];
const DATE = /\d{4}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]|\d{1,2}:\d{2}/;
const ADDRESS = /@|:\/\/|[\\/]|\p{L}[.:]\p{L}/u;
const NEGATING_PREFIX = /^(?:un|in|im|ir|il|dis|non|mis|de|des|miss)-?/;

/** The gravest concerns first; at least one, since the two texts do not say the same for certain. */
export function namedConcerns(
  before: readonly MeaningUnit[],
  after: readonly MeaningUnit[],
  text: string,
): Concern[] {
  const removed = without(before, after);
  const added = without(after, before);
  const concerns = [
    ...(hasUnseen(text) ? [concern('it holds characters that cannot be seen', 1)] : []),
    ...(turnsRound(removed, added) ? [concern('a word was turned into its opposite', 0.9)] : []),
    ...CLASSES.flatMap((one) => classConcern(one, removed, added)),
    ...sentenceConcern(before, after, removed, added),
    ...arrangementConcerns(before, after, removed, added),
  ];
  if (concerns.length === 0) concerns.push(concern('the wording or its emphasis was changed', 0.3));
  return concerns.sort((one, other) => other.weight - one.weight);
}

/** Share of the words of both texts that only one of them has, 0..1. */
export function shareChanged(before: readonly MeaningUnit[], after: readonly MeaningUnit[]): number {
  const isWord = ({ kind }: MeaningUnit) => kind === 'word' || kind === 'exact';
  const all = [...before, ...after].filter(isWord).length;
  return (without(before, after).length + without(after, before).length) / Math.max(1, all);
}

export function concern(says: string, weight: number): Concern {
  return { says, weight };
}

/** The words, numbers and names that one text has more often than the other. */
function without(units: readonly MeaningUnit[], others: readonly MeaningUnit[]): MeaningUnit[] {
  const left = new Map<string, number>();
  for (const unit of others) left.set(lower(unit), (left.get(lower(unit)) ?? 0) + 1);
  return units.filter((unit) => {
    const there = left.get(lower(unit)) ?? 0;
    left.set(lower(unit), there - 1);
    return there <= 0 && (unit.kind === 'word' || unit.kind === 'exact');
  });
}

function classConcern(
  { noun, weight }: Class,
  removed: readonly MeaningUnit[],
  added: readonly MeaningUnit[],
): Concern[] {
  const belongs = (unit: MeaningUnit) => CLASSES.find((one) => one.has(unit))?.noun === noun;
  const [was, is] = [removed.some(belongs), added.some(belongs)];
  if (!was && !is) return [];
  const verb = was && is ? 'was changed' : was ? 'was removed' : 'was added';
  return [concern(`${noun} ${verb}`, weight)];
}

function turnsRound(removed: readonly MeaningUnit[], added: readonly MeaningUnit[]): boolean {
  const now = new Set(added.map(lower));
  const before = new Set(removed.map(lower));
  const negates = (word: string, others: ReadonlySet<string>) => {
    const stem = word.replace(NEGATING_PREFIX, '');
    return stem !== word && others.has(stem);
  };
  return (
    [...before].some((word) => now.has(OPPOSITES.get(word) ?? '') || negates(word, now)) ||
    [...now].some((word) => negates(word, before))
  );
}

/** Whether there are more or fewer sentences, and whether it is words that make the difference. */
function sentenceConcern(
  before: readonly MeaningUnit[],
  after: readonly MeaningUnit[],
  removed: readonly MeaningUnit[],
  added: readonly MeaningUnit[],
): Concern[] {
  const [was, is] = [countSentences(before), countSentences(after)];
  if (is > was && added.length > 0) return [concern('a sentence was added', 0.8)];
  if (is < was && removed.length > 0) return [concern('a sentence was removed', 0.8)];
  return [];
}

function countSentences(units: readonly MeaningUnit[]): number {
  return units.filter(({ kind, startsSentence }) => startsSentence && kind !== 'layout').length;
}

/** What changed where the words themselves are the same. */
function arrangementConcerns(
  before: readonly MeaningUnit[],
  after: readonly MeaningUnit[],
  removed: readonly MeaningUnit[],
  added: readonly MeaningUnit[],
): Concern[] {
  const of = (units: readonly MeaningUnit[], ...kinds: MeaningUnit['kind'][]) =>
    units.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text);
  const differ = (...kinds: MeaningUnit['kind'][]) =>
    of(before, ...kinds).join('\n') !== of(after, ...kinds).join('\n');
  const sameWords = removed.length === 0 && added.length === 0;
  const lowered = (units: readonly MeaningUnit[]) => of(units, 'word', 'exact').join('\n').toLowerCase();
  const moved = sameWords && lowered(before) !== lowered(after);
  const capitals = sameWords && !moved && differ('word', 'exact');
  return [
    ...(moved ? [concern('words changed places', 0.7)] : []),
    ...(differ('layout') ? [concern('headings, list items or lines were rearranged', 0.5)] : []),
    ...(differ('mark') ? [concern('punctuation that may turn a sentence was changed', 0.4)] : []),
    ...(capitals ? [concern('capitals that may make another word were changed', 0.4)] : []),
  ];
}
