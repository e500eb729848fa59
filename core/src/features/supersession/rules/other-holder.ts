import { termOf } from '../../../text/terms.ts';
import { fold } from '../../../text/words.ts';
import type { Fact, Token } from '../fact/fact.ts';
import { isCountry } from '../fact/places.ts';
import { AUXILIARIES } from '../fact/relations.ts';
import { words } from '../fact/word-groups.ts';
import { type Difference, hard, keysOf } from './difference.ts';
import { becameReason, conflicts, type Judgement, replaces } from './judgement.ts';
import { isCapitalized, isProperName, isSubject, textOf } from './run.ts';
import { worksElsewhere } from './same-attribute.ts';
import { onlyIs } from './same-subject.ts';

/** "Our CTO is Ann", "Ben is CTO": another holds the same office. */
export function otherHolder(
  older: Fact,
  newer: Fact,
  { was, is, shared }: Difference,
): Judgement | undefined {
  const [old, moreOld] = was;
  const [next, moreNew] = is;
  if (!old || !next || moreOld || moreNew) return undefined;
  // "corresponding author", "CTO"; but "a doctor" are many.
  const isOffice = shared.length > 0 && !shared.some(({ indefinite }) => indefinite);
  const isTurned = isSubject(old) !== isSubject(next);
  return onlyIs(older) && onlyIs(newer) && isOffice && isTurned && isProperName(old) && isProperName(next)
    ? replaces(becameReason(old, next))
    : undefined;
}

/** "Visits are planned by Ann", "Since May Ben plans the visits": another does the same now. */
export function handedOver(newer: Fact, { was, is, shared }: Difference): Judgement | undefined {
  const [old, next] = [was[0] ?? [], is[0] ?? []];
  if (!newer.changed || newer.contrasts || was.length !== 1 || is.length !== 1) return undefined;
  // "Maya mentors Lena", "Lena now mentors Omar"
  const isTurned = isSubject(old) ? !isSubject(next) && BY.has(next[0]?.preposition ?? '') : isSubject(next);
  const things = shared.filter(({ kind, soft }) => kind === 'word' && !soft);
  return isTurned && isProperName(old) && isProperName(next) && things.length > 1
    ? replaces(becameReason(old, next))
    : undefined;
}

/** By whom something is done. */
export const BY = words('by von durch por par da door');

/** "needs Java 17", "Java 21 is required": the same of the same thing in another version. */
export function otherVersion(older: Fact, newer: Fact): Judgement | undefined {
  const [old, next] = [onlyVersion(older), onlyVersion(newer)];
  if (!old || !next || old.name !== next.name || old.number === next.number) return undefined;
  // "House 5 has a garden": there the number tells one from another.
  if (old.subject && next.subject) return undefined;
  const rest = ({ tokens }: Fact, { name, number }: typeof old) =>
    keysOf(hard(tokens).filter(({ key }) => key !== name && key !== number));
  const [mine, theirs] = [rest(older, old), rest(newer, next)];
  const areSame = mine.size > 1 && mine.size === theirs.size && [...mine].every((key) => theirs.has(key));
  return areSame ? replaces(`${old.name} ${old.number} became ${next.number}`) : undefined;
}

/** "needs Python 3.11", "bumped Python to 3.12": what is said of its number alone. Of one that is for something, it may be another. */
export function newVersion(older: Fact, newer: Fact): Judgement | undefined {
  const old = newer.changed ? onlyVersion(older) : undefined;
  // "Room 12": a number that tells one from another.
  if (!old || (old.isFirst && !old.number.includes('.'))) return undefined;
  const told = hard(newer.tokens).filter(({ denied, kind }) => !denied && kind !== 'time');
  const [name, number, more] = told;
  if (!name || !number || more || name.key !== old.name || number.key === old.number) return undefined;
  if (number.kind !== 'number' || number.detail !== '') return undefined;
  const others = hard(older.tokens).filter(({ key }) => key !== old.name && key !== old.number);
  const reason = `${name.text} ${old.number} became ${number.text}`;
  return others.length > 1 ? conflicts(reason) : replaces(reason);
}

/** The only name that a number follows, with that number; undefined where there are several, or none. */
function onlyVersion({ tokens }: Fact) {
  let only: { name: string; number: string; subject: boolean; isFirst: boolean } | undefined;
  for (const [at, { kind, detail, key, part, subject }] of tokens.entries()) {
    const name = kind === 'number' && detail === '' ? tokens[at - 1] : undefined;
    if (name?.kind !== 'word' || name.part !== part || !isCapitalized(name)) continue;
    if (only) return undefined;
    only = { name: name.key, number: key, subject, isFirst: at === 1 };
  }
  return only;
}

/** "大阪に住んでいます", "京都に引っ越しました": of somebody who need not be named, nothing but another place. */
export function livesElsewhere(older: Fact, newer: Fact): Judgement | undefined {
  const livesOnly = ({ relations }: Fact) =>
    relations.has('live') && [...relations].every((one) => one === 'live' || one === 'be');
  const movesOnly = ({ moves, relations }: Fact) => moves && [...relations].every((one) => one === 'be');
  if (!livesOnly(older) || !(livesOnly(newer) || movesOnly(newer))) return undefined;
  const [[place, more], [other, another]] = [hard(older.tokens), hard(newer.tokens)];
  if (!place || !other || more || another || place.kind !== 'word' || other.kind !== 'word') return undefined;
  if (place.key === other.key || !isNamedPlace(place, older) || !isNamedPlace(other, newer)) return undefined;
  if (isCountry(fold(place.text)) !== isCountry(fold(other.text))) return undefined;
  return replaces(becameReason([place], [other]));
}

/** "in Rome", "Ankara'da", "大阪に", "搬到上海"; but "搬了钢琴" is of a piano. */
function isNamedPlace({ text, preposition }: Token, { content }: Fact): boolean {
  if (/^\p{Lo}/u.test(text)) return /[到去在にへ]|[에로](?:\s|$)|إلى|في/u.test(content);
  return /^\p{Lu}/u.test(text) && (preposition !== '' || /'\p{Ll}{1,4}$/u.test(text));
}

/** "I work at Acme", "I joined Bosch": perhaps it is a club. */
export function joinsAnother(older: Fact, newer: Fact, { is, shared }: Difference): Judgement | undefined {
  const tellsMore = [...newer.relations].some((relation) => !AUXILIARIES.has(relation));
  if (tellsMore || !worksElsewhere(older, newer)) return undefined;
  const isSame = (older.firstPerson && newer.firstPerson) || shared.some(({ subject }) => subject);
  const [employer, more] = hard(older.tokens).filter(({ subject }) => !subject);
  const [[next] = [], another] = is.filter((run) => run.some(({ kind }) => kind !== 'time'));
  if (!isSame || !employer || more || !next || another) return undefined;
  return conflicts(becameReason([employer], [next]));
}

/** "I live in a flat in Leith", "I moved in with Ann in Morningside": whoever moves lives elsewhere now. */
export function movedHome(older: Fact, newer: Fact, { is, shared }: Difference): Judgement | undefined {
  const tellsMore = [...newer.relations].some((relation) => relation !== 'be');
  if (!older.relations.has('live') || !newer.moves || tellsMore) return undefined;
  const isSame = (older.firstPerson && newer.firstPerson) || shared.some(({ subject }) => subject);
  // "moved my savings to": something else moved.
  const isWith = ({ key, subject }: Token) => subject && FAMILY.has(key) && TOGETHER.test(newer.content);
  const placed = is.filter((run) =>
    run.every((token) => token.kind !== 'time' && !BACK.has(token.key) && !isWith(token)),
  );
  const places = placed.filter(([first]) => PLACES.has(first?.preposition ?? ''));
  const [place] = places;
  if (
    !isSame ||
    !place ||
    placed.some(([first]) => first?.preposition === '') ||
    !/^(?:\d+\p{L}?\s)?\p{Lu}/u.test(textOf(place))
  )
    return undefined;
  // "lives alone" says nothing of where.
  const home = hard(older.tokens).filter(({ subject, preposition }) => !subject && preposition !== '');
  return home.length > 0 ? replaces(`${textOf(home)} became ${textOf(place)}`) : undefined;
}

/** "Nora and her family"; but "Nora's family" */
const TOGETHER = /,|\s(?:and|with)\s/;
/** Who moves with somebody. */
const FAMILY = new Set(
  ['family', 'kids', 'children', 'husband', 'wife', 'partner', 'girlfriend', 'boyfriend', 'dog', 'cat'].map(
    (text) => termOf({ text, kind: 'word' }),
  ),
);

/** "moved to the backend team", "to a new bank, Ally", "into marketing": whoever lives somewhere lives there still. */
export function movesToNoPlace({ moves, relations, tokens }: Fact): boolean {
  if (!moves || relations.has('live')) return false;
  const aim = tokens.find(({ subject, denied, preposition }) => {
    return !subject && !denied && (PLACES.has(preposition) || preposition === 'into');
  });
  return (
    aim?.kind === 'word' && /^\p{Ll}/u.test(aim.text) && !AREAS.has(fold(aim.text)) && !BACK.has(aim.key)
  );
}

/** Where one may live, beside what has a name. */
const AREAS = words(`
  countryside suburb suburbs country city town village coast seaside island mountains abroad outskirts centre center downtown farm house
  apartment flat condo studio place neighbourhood neighborhood district land stadt dorf haus wohnung campo ciudad pueblo casa piso
  campagne ville village maison appartement
`);

/**
 * "Ben moved to Turin", "Ben moved back to Rome": who moves again lives where they moved last. Without "back" it may be another thing
 * that changed: "We moved to Postgres", "We moved to Kubernetes". Who now lives elsewhere has moved on, too: "Ben lives in Oslo now".
 */
export function movedOn(older: Fact, newer: Fact): Judgement | undefined {
  if (!older.moves) return undefined;
  const lives = newer.relations.has('live');
  if (!newer.moves && !lives) return undefined;
  const [was, is] = [placeMovedTo(older), placeMovedTo(newer)];
  if (!was || !is || was.place.key === is.place.key || was.who !== is.who) return undefined;
  // "moved to Graz", "lives in Austria": the same, less exactly.
  if (lives && isCountry(fold(was.place.text)) !== isCountry(fold(is.place.text))) return undefined;
  const reason = becameReason([was.place], [is.place]);
  const isHome = lives && newer.changed && was.who !== '' && !older.definite;
  return isHome || newer.tokens.some(({ key }) => BACK.has(key)) ? replaces(reason) : conflicts(reason);
}

/** Who moved, and where to; undefined where something else is said to have moved, or when. */
function placeMovedTo({ tokens, firstPerson }: Fact) {
  const told = tokens.filter(({ denied, key }) => !denied && !BACK.has(key));
  const who = told.filter(({ subject }) => subject);
  const [place, more] = told.filter(({ subject }) => !subject);
  if (!place || more || place.kind !== 'word' || !PLACES.has(place.preposition)) return undefined;
  const isProper = /^(?:\p{Lu}|\p{Lo})/u.test(place.text);
  if (!isProper || (who.length === 0 && !firstPerson)) return undefined;
  return { place, who: who.map(({ key }) => key).join(' ') };
}

const BACK = new Set(['back', 'zuruck', 'again']);
const PLACES = new Set(['in', 'to', 'nach', 'a', 'en', 'at', 'em', 'para', 'naar', 'в', 'во', 'w', 'do']);
