import { fold } from '../../../text/words.ts';
import type { Fact, Token } from '../fact/fact.ts';
import { words } from '../fact/word-groups.ts';
import { BELONGS } from '../fact/words.ts';
import { type Difference, keysOf } from './difference.ts';
import { BY } from './other-holder.ts';
import { isAmount, isSubject, type Run } from './run.ts';
import { FOR, shareTellingRelation } from './same-subject.ts';

/** The two values of two facts, and what else they do not share. */
export interface Values {
  readonly old: Run;
  readonly next: Run;
  readonly lost: Run;
  readonly extras: Run;
}

/**
 * Why two facts tell of two things, although the newer one says that something changed: "Room 102 now seats 12 people" says nothing of
 * Room 101. Undefined where they may tell of one.
 */
export function tellsOfOtherCase(
  older: Fact,
  newer: Fact,
  { shared }: Difference,
  values: Values,
): string | undefined {
  if (haveOtherNumbers(older, newer, values)) return 'they are about different things';
  if (changesRole(older, newer, shared, values)) return 'they tell of different roles';
  if (isNumberOfOther(older, newer, values)) return 'they say different things of it';
  if (areOtherDays(older, newer, values)) return 'they tell of different times';
  // "eye drops for her glaucoma", "a cream for her eczema"
  if (values.lost.some(isForSomething) && values.extras.some(isForSomething))
    return 'they tell of different cases';
  return undefined;
}

export function isForSomething({ kind, preposition }: Token): boolean {
  return kind === 'word' && FOR.has(preposition);
}

/** "Room 101" and "Room 102", "the 9:00 train" and "the 10:00 train". */
function haveOtherNumbers(older: Fact, newer: Fact, { old, next }: Values): boolean {
  const own = (fact: Fact, other: Fact, value: Run) =>
    fact.tokens.some(
      (token) =>
        token.subject &&
        token.kind !== 'word' &&
        !isOnly(value, token) &&
        !keysOf(other.tokens).has(token.key),
    );
  return own(older, newer, old) && own(newer, older, next);
}

function isOnly(value: Run, token: Token): boolean {
  return value.length === 1 && value[0] === token;
}

/** "Anna reports to Bert", "Bert now reports to Carla": whom it was done to does it now, to another. */
function changesRole(older: Fact, newer: Fact, shared: readonly Token[], { old, next }: Values): boolean {
  if (!isSubject(old) || isSubject(next) || BY.has(next[0]?.preposition ?? '')) return false;
  const [first] = next;
  const place = first ? newer.tokens.indexOf(first) : -1;
  const isTurned = (turned: Token) =>
    turned.kind === 'word' &&
    turned.subject &&
    newer.tokens.indexOf(turned) < place &&
    older.tokens.some(({ key, subject }) => key === turned.key && !subject);
  if (!shared.some(isTurned)) return false;
  // "owns the module", "the module belongs to Ines now"
  if (BELONGS.test(newer.content)) return false;
  const isVerb = (token: Token) => token.kind === 'word' && /^\p{Ll}/u.test(token.text) && !isTurned(token);
  return shareTellingRelation(older, newer) || (!older.relations.has('be') && shared.some(isVerb));
}

/** "Her passport is Swedish", "Her passport number is X123456". */
function isNumberOfOther(older: Fact, newer: Fact, { old, next }: Values): boolean {
  const asks = ({ tokens }: Fact) => tokens.some(({ text, subject }) => subject && NUMBERS.has(fold(text)));
  const [was, is] = [asks(older), asks(newer)];
  return was !== is && !(was ? next : old).every(({ text }) => /\d/.test(text));
}

const NUMBERS = words('number nummer numero');

/** "On Mondays Pablo delivers", "on Tuesdays Tom now delivers": there the day says when that is so. */
function areOtherDays(older: Fact, newer: Fact, { old, next, lost, extras }: Values): boolean {
  const [was, is] = [older.tokens[0], newer.tokens[0]];
  if (isWeekday(was) && isWeekday(is) && was?.key !== is?.key) return true;
  if (next.some(isAmount) && lost.some(isWeekday) && extras.some(isWeekday)) return true;
  // "tea in the morning", "wine in the evening"
  const tells = (run: Run) => run.some(({ kind }) => kind !== 'time');
  const isOther = (tells(old) && tells(next)) || (tells(lost) && tells(extras));
  return isOther && [...old, ...lost].some(isPartOfDay) && [...next, ...extras].some(isPartOfDay);
}

function isPartOfDay({ detail }: Token): boolean {
  return detail === 'partOfDay';
}

function isWeekday(token: Token | undefined): boolean {
  return token?.detail === 'weekday';
}

/** "Log retention", "Audit log retention": what both are about is narrower in the first one, whoever changed it. */
export function isNarrower(fact: Fact, other: Fact): boolean {
  if (fact.introduced) return false;
  const said = keysOf(other.tokens);
  const about = fact.tokens.filter(
    ({ subject, kind, detail, soft, denied }) =>
      subject && (kind === 'word' || detail === 'partOfDay') && !soft && !denied,
  );
  const head = about.findIndex(({ key }) => said.has(key));
  if (head < 0 || about.some(({ key, detail }) => detail === 'code' && said.has(key))) return false;
  if (about.slice(0, head).length > 0) return true;
  const isRomance = ROMANCE.test(fact.content);
  return about
    .slice(head + 1)
    .some(({ key, text }) => !said.has(key) && (isRomance || OF.test(before(fact, text))));
}

/** Of these languages adjectives follow: "un café grande". */
const ROMANCE = /^(?:el|la|los|las|una?|les?|des|il|gli|os?|as?|uma?)\s\p{Ll}/iu;
/** "La renta del garaje", "die Miete der Garage" */
const OF = /(?:^|\s)(?:of(?:\s\p{L}+)?|de|del|de\sla|du|des|der|di|della|da|do|van\s(?:de|het))\s$/iu;

/** What stands before a word. */
function before({ content }: Fact, text: string): string {
  return content.slice(0, Math.max(0, content.indexOf(text)));
}

/** "Leo's coach", "Maja's coach": of whom somebody is one; they may be of both. */
export function isHoldersOf(newer: Fact, next: Run, shared: readonly Token[]): boolean {
  const last = next.at(-1);
  const behind = last && newer.tokens[newer.tokens.indexOf(last) + 1];
  return behind !== undefined && /['’]s?$/.test(last?.text ?? '') && shared.includes(behind);
}
