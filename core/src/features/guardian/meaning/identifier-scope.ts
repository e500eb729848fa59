import { IDENTIFIER_NOUNS, STOPLESS_NOUNS } from './words.ts';

/** What may follow "the user" where that is a person, and no name of an account comes: "the user likes", "ask the user before". */
const SAID_OF_PERSONS = [
  'likes? loves? hates? dislikes? prefers? wants? needs? wishes expects enjoys? values lives? works? speaks? studies plays',
  "drinks? eats? takes travels? moved owns ha[sd] have can't cannot doesn't does didn't did won't before after about first whether if when",
  // What one is, or must be, may be that name: "the user is root".
  '(?:can|may|must|should|will|would)(?![^.]{0,60}_be(?:come)?_)(?:_(?:not|never|always))?_(?!match|equal|start|begin|end|contain|run)\\p{L}+',
  'is_(?:an?|the|not|in|at|from|on|very|also|always|never|allergic|vegetarian|vegan|married|\\p{L}{4,}_(?:to|about|with|of))',
].join(' ');
const SAID_IN_GERMAN = `mag wohnt lebt arbeitet hat möchte bevorzugt spricht braucht trinkt isst
  ist_(?:ein|eine|nicht|in|aus|vegetarier|vegetarierin|veganer|allergisch)`;
const SAID_IN_SPANISH = `vive trabaja tiene prefiere quiere habla usa necesita bebe come odia
  es_(?:un|una|alérgic[oa]|vegan[oa]|vegetarian[oa])`;

const person = (articles: string, noun: string, said: string): string => {
  return `(?<=(?<!\\p{L})(?:${articles}) )${noun}(?= (?:${alternatives(said)})(?![\\p{L}\\p{N}_=:/-]| as ))`;
};
/**
 * "I share no passwords with strangers": how, or when, and nothing behind that could say what they are, and something done to them
 * before.
 */
const HOW_OR_WHEN = `with_(?:anyone|anybody|strangers|others|people|everyone|nobody|guests|third_parties)
  without_(?:an?|the|my|asking|being|permission|approval|review|consent)
  before after unless until when if every each`;
const NOTHING_NAMED = String.raw`(?=(?:(?! (?:is|are|be|was|were|becomes?|equals?|reads?|types?|says?)(?!\p{L}))(?:[\p{L} ,-]|(?<=\p{L})['’](?=\p{L}))){0,200}(?:[.!]|$))`;
const NAMELESS = new RegExp(
  [
    `(?<=\\p{L} [\\p{L}'’]{1,20} )(?:${[...IDENTIFIER_NOUNS].join('|')})(?= (?:${alternatives(HOW_OR_WHEN)})(?!\\p{L})${NOTHING_NAMED})`,
    person('the|this|our|each|every|a', 'user', SAID_OF_PERSONS),
    person('der|die|jeder|jede', '(?:be)?nutzer(?:in)?', SAID_IN_GERMAN),
    person('el|la|cada|este|esta', 'usuari[oa]', SAID_IN_SPANISH),
  ].join('|'),
  'giu',
);

function alternatives(list: string): string {
  return list.trim().split(/\s+/).join('|').replaceAll('_', ' ');
}

const SPEAKS_OF_TYPING =
  /(?<!\p{L})(?:type|say|write|read|spell|enter|paste|shout)(?:s|e?d|t?ing)?(?!\p{L})/iu;

/** A line with as many signs, and without the nouns of which it says no name. */
export function withoutNameless(line: string): string {
  // What is typed is told letter by letter: "type the password before go".
  return SPEAKS_OF_TYPING.test(line) ? line : line.replace(NAMELESS, (noun) => '-'.repeat(noun.length));
}

/** Whether a line speaks of something that machines compare letter by letter. */
export function namesIdentifier(line: string): boolean {
  return (
    withoutNameless(line)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  ).some((word) => IDENTIFIER_NOUNS.has(word));
}

/**
 * Follows, while a text is read, whether what comes may be the name of something that machines compare letter by letter: behind
 * such a noun until the sentence ends ("the password is always hunter"), and in the list below one ("Files:").
 */
export class IdentifierScope {
  #inSentence = false;
  #inLabel = false;
  /** Whether what may be named can have a full stop at its end. */
  #stopCounts = false;

  get isOpen(): boolean {
    return this.#inSentence;
  }

  /** Whether a full stop that comes now may be of what is named: "the password is hunter." */
  get stopCounts(): boolean {
    return this.#inSentence && this.#stopCounts;
  }

  /** @param isExact Whether it stands behind such a noun already. */
  addWord(word: string, isExact: boolean): void {
    const noun = word.toLowerCase();
    if (!IDENTIFIER_NOUNS.has(noun)) return;
    this.#stopCounts = (isExact && this.#stopCounts) || !STOPLESS_NOUNS.has(noun);
    this.#inSentence = true;
  }

  endSentence(): void {
    this.#inSentence = false;
  }

  /** A colon, or the end of a heading: what was read may stand above a list. */
  endLabel(): void {
    this.#inLabel = this.#inSentence;
  }

  beginItem(): void {
    this.#inSentence = this.#inLabel;
  }

  /** A heading, or a paragraph that no colon announces: no list goes on behind it. */
  beginBlock(): void {
    this.#inSentence = false;
    this.#inLabel = false;
  }
}
