import { termOf } from '../../../text/terms.ts';
import type { State, Token } from './fact.ts';
import { namesList, readValue } from './read-value.ts';
import type { Relation } from './relations.ts';
import type { Piece } from './split-pieces.ts';
import { units } from './units.ts';
import { INDEFINITE } from './words.ts';

type Draft = { -readonly [Name in keyof Token]: Token[Name] };
type Read = Pick<Token, 'key' | 'kind' | 'detail' | 'soft' | 'scope' | 'attribute'>;

const STATE = { kind: 'word', detail: 'state', soft: false, scope: false, attribute: false } as const;

/** What a number becomes that is an hour. */
const CLOCK = { kind: 'time', detail: 'clock' } as const;
/** What the detail of a number says that is an age. */
export const AGE = 'age';
const YEARS = termOf({ text: 'years', kind: 'word' });
const AT = new Set(['at', 'um']);
const HOURS = /^\d{1,2} ?h$/;
const YEAR = /^(?:19|20)\d\d$/;
const DAY = /^(?:[1-9]|[12]\d|3[01])\b(?![.,]\d)/;
const HALF_OF_DAY = /^(?:am|pm|uhr|a\.m|p\.m)$/;

/** The words and numbers of a fact, and in which part of its sentence the next one stands. */
export class TokenList {
  readonly #tokens: Draft[] = [];
  #part = 0;
  #clauseStart = 0;
  #preposition = '';
  #verbSeen = false;
  /** Whether the verb stood where a verb stands, not behind all else as "now" may. */
  #verbKnown = false;
  #namesList = false;
  /** Whether what comes is denied, by a word such as "not", or by "from", which "to" ends. */
  denying: 'not' | 'from' | undefined;

  get all(): readonly Token[] {
    return this.#tokens;
  }

  get isEmpty(): boolean {
    return this.#tokens.length === 0;
  }

  /** Whether what was said before the verb is over. */
  get isBehindVerb(): boolean {
    return this.#verbSeen;
  }

  /** Whether one of its words is the name of a list: "task". */
  get namesList(): boolean {
    return this.#namesList;
  }

  /** Whether something is affirmed behind what is denied: "not in Paris but in Berlin". */
  get affirmsLast(): boolean {
    const last = this.#tokens.findLastIndex(({ denied }) => denied);
    return last >= 0 && this.#tokens.slice(last + 1).some(({ kind }) => kind !== 'time');
  }

  endSubject(): void {
    this.#verbSeen = true;
  }

  seeVerb(): void {
    this.#verbSeen = true;
    this.#verbKnown = true;
  }

  startPart(): void {
    this.#part += 1;
  }

  startClause(): void {
    this.#clauseStart = this.#tokens.length;
  }

  /** What comes belongs to a preposition; behind the first words that ends the subject, where no verb is known. */
  startPhrase(preposition: string): void {
    this.#part += 1;
    this.#preposition = preposition;
    if (preposition !== '' && this.#tokens.length > 0) this.seeVerb();
  }

  denyClause(): void {
    for (const token of this.#tokens.slice(this.#clauseStart)) token.denied = true;
    this.#verbSeen = true;
  }

  denyPart(): void {
    for (const token of this.#tokens) if (token.part === this.#part) token.denied = true;
  }

  /** @param before The word before it. */
  add(piece: Piece, before: string): void {
    const value = readValue(piece);
    if (value.list) this.#namesList = true;
    this.#push(piece.text, value).indefinite = INDEFINITE.has(before);
  }

  addState({ keys }: State): void {
    for (const key of keys) {
      if (namesList(key)) this.#namesList = true;
      this.#push(key, { ...STATE, key });
    }
  }

  /** Adds a unit to the number before it, if there is one: "5 km", "7 pm". */
  addUnit(key: string): boolean {
    const last = this.#tokens.at(-1);
    if (HALF_OF_DAY.test(key) && last && /^\d/.test(last.key) && last.part === this.#part) {
      Object.assign(last, CLOCK, { key: `${last.key}${key}` });
      return true;
    }
    const dimension = units.get(key);
    if (dimension === undefined || last?.kind !== 'number' || last.detail !== '') return false;
    last.detail = dimension;
    last.key = `${last.key} ${termOf({ text: key, kind: 'word' })}`;
    return true;
  }

  /** "9 to 5": one range. */
  addRange(end: string): boolean {
    const last = this.#tokens.at(-1);
    if (last?.kind !== 'number' || last.detail !== '' || last.denied || !/^\d{1,2}(?::\d\d)?$/.test(last.key))
      return false;
    last.key = `${last.key}-${end}`;
    last.text = last.key;
    last.detail = 'range';
    return true;
  }

  /** Takes the number before for the age of somebody: "turned 30", "30 years old"; false where it is none. */
  takeForAge(): boolean {
    const last = this.#tokens.at(-1);
    if (last?.kind !== 'number') return false;
    if (last.detail === '') last.key = `${last.key} ${YEARS}`;
    else if (last.detail !== 'time') return false;
    last.detail = AGE;
    return true;
  }

  /** Adds "per month" to the number before it, if there is one: a monthly price says nothing of a yearly one. */
  addRate(unit: string): boolean {
    const last = this.#tokens.at(-1);
    if (units.get(unit) === undefined || last?.kind !== 'number') return false;
    last.detail = `${last.detail} per ${termOf({ text: unit, kind: 'word' })}`;
    last.key = `${last.key} per ${unit}`;
    return true;
  }

  /** Once all are read: tells days and hours from other numbers, and values from what the fact is about. */
  finish(relations: ReadonlySet<Relation>): void {
    this.#nameDays(relations);
    this.#freeValues();
  }

  #push(text: string, { key, kind, detail, soft, scope, attribute }: Read): Draft {
    // Without a spread: tokens of one shape are read several times as fast.
    const token: Draft = {
      key,
      text,
      kind,
      detail,
      soft,
      scope,
      attribute,
      part: this.#part,
      denied: this.denying !== undefined,
      subject: !this.#verbSeen,
      indefinite: false,
      preposition: this.#preposition,
    };
    this.#tokens.push(token);
    return token;
  }

  /** "March 14", "12. Mai": a number beside a month is a day; what opens at 7 does so at an hour. */
  #nameDays(relations: ReadonlySet<Relation>): void {
    this.#tokens.forEach((token, at) => {
      // "le lundi à 9 h", "on Tuesday at 9"
      const isHour = HOURS.test(token.key) || (token.detail === '' && AT.has(token.preposition));
      if (token.kind === 'number' && isHour && this.#tokens[at - 1]?.detail === 'weekday')
        Object.assign(token, CLOCK);
      if (token.kind !== 'number' || token.detail !== '') return;
      const [before, behind] = [this.#tokens[at - 1], this.#tokens[at + 1]];
      const month = before?.detail === 'month' ? before : behind?.detail === 'month' ? behind : undefined;
      if (month) {
        // "Sprint 12 ends in March": before the verb it is no day of it.
        if (!DAY.test(token.key) || token.subject !== month.subject) return;
        Object.assign(token, { kind: 'time', detail: 'day', part: month.part });
      } else if (AT.has(token.preposition) && (relations.has('begin') || relations.has('finish'))) {
        Object.assign(token, CLOCK);
      } else if (YEAR.test(token.key)) Object.assign(token, { kind: 'time', detail: 'year' });
    });
  }

  /** What stands last says something of the subject; a number names one at the start only, as in "Room 101". */
  #freeValues(): void {
    this.#tokens.forEach((token, at) => {
      const isLast = at === this.#tokens.length - 1 || (token.kind === 'number' && token.detail !== '');
      const early =
        token.kind === 'word' ? (isLast || !this.#verbKnown ? 2 : Number.POSITIVE_INFINITY) : isLast ? 1 : 2;
      if (at >= early || (token.kind === 'time' && !this.#verbKnown)) token.subject = false;
    });
  }
}
