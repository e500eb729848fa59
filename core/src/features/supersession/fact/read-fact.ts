import { createLruCache } from '../../../kernel/runtime/lru-cache.ts';
import { fold } from '../../../text/words.ts';
import type { Cue } from './cues.ts';
import type { Fact, State, Token } from './fact.ts';
import { cueAt, isFirstName, stateAt } from './find-phrases.ts';
import { isChild, isToolVerb, relationAt } from './find-relation.ts';
import { labelAt } from './label.ts';
import {
  FOR_A_WHILE,
  NEXT_PERIOD,
  NOT_SO,
  ONE_PART_OF_DAY,
  ORDERED,
  PARTIAL,
  QUOTING,
  SET_TO,
  WE_DO,
} from './phrasings.ts';
import { Reason } from './reason.ts';
import { DISLIKING, type Relation, relations } from './relations.ts';
import { type Piece, splitPieces } from './split-pieces.ts';
import { TokenList } from './token-list.ts';
import { dateWords } from './units.ts';
import {
  ATTRIBUTES,
  AUXILIARY,
  BEFORE,
  BIDDING,
  BUT,
  CLAUSE_ENDS,
  DETERMINERS,
  DIVIDERS,
  FIRST_PERSON,
  FROM,
  FROM_ENGLISH,
  FUNCTION_WORDS,
  JOINERS,
  JOINING,
  MOVING,
  NEW,
  PAST_DAYS,
  PAST_VERBS,
  PER,
  SOFT_WORDS,
  TAKING_OVER,
  TO,
  TOPIC_MARKS,
} from './words.ts';

/** Longer texts say several things, of which none can be told to be replaced. */
const LONGEST_FACT = 600;
const MOST_PIECES = 80;

/** What is stored next is compared with the newest facts again. A fact takes some 3 kB. */
const factsOfContents = createLruCache<Fact>(2_000);

/** Reads what a memory says, once, to be judged with many others. */
export function readFact(content: string): Fact {
  if (content.length > LONGEST_FACT) return parseFact(content);
  const known = factsOfContents.get(content);
  if (known) return known;
  const fact = parseFact(content);
  factsOfContents.set(content, fact);
  return fact;
}

/** The same of what is kept elsewhere, or not read again. Of a longer text nothing is read, by no pattern either. */
export function parseFact(content: string): Fact {
  if (content.length > LONGEST_FACT) return { ...new FactReader('', []).read(), content };
  const pieces = splitPieces(content);
  return new FactReader(content, pieces.length > MOST_PIECES ? [] : pieces).read();
}

function lettersOf(content: string): string {
  return content
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s.!。]+/g, '');
}

const ABBREVIATION = /^\p{Lu}{2,5}$/u;
/** "plan A" */
const LETTER = /^[A-HJ-Z]$/;
const PLURAL = /^[a-z]{2,}[^aius]s$/;
const ENGLISH_OF_PLACE = /^(?:mov|relocat|migrat|transferr|liv|resid)/;
const HOUR = /^\d{1,2}(?::\d\d)?$/;
const AGE = /^\d{1,3}$/;
const CYRILLIC = /\p{sc=Cyrillic}/u;
const GOT = new Set(['got', 'gets', 'gotten']);
const HIRAGANA = /^[\p{sc=Hiragana}ー]+$/u;

/** "was moved yesterday to Thursday": the day on which it changed says nothing of what it is now. */
function withoutDayOfChange(tokens: readonly Token[]): readonly Token[] {
  const others = tokens.filter(({ text, preposition }) => !(PAST_DAYS.has(fold(text)) && preposition === ''));
  return others.some(({ subject }) => !subject) ? others : tokens;
}

class FactReader {
  readonly #content: string;
  readonly #pieces: readonly Piece[];
  readonly #tokens = new TokenList();
  readonly #relations = new Set<Relation>();
  readonly #states: State[] = [];
  readonly #cues = new Set<Cue>();
  readonly #reason = new Reason();
  #label: Fact['label'];
  #event = false;
  #contrasts = false;
  #takesOver = false;
  #moves = false;
  #joins = false;
  #bids = false;

  constructor(content: string, pieces: readonly Piece[]) {
    this.#content = content;
    this.#pieces = pieces;
  }

  read(): Fact {
    const pieces = this.#pieces;
    const changes = pieces.some((_, at) => /^(?:change|former)$/.test(cueAt(pieces, at)?.cue ?? ''));
    for (let at = 0; at < pieces.length; ) at += this.#readPiece(at, changes);
    this.#tokens.finish(this.#relations);
    const tokens = this.#cues.has('change') ? withoutDayOfChange(this.#tokens.all) : this.#tokens.all;
    const has = (cue: Cue) => this.#cues.has(cue);
    const changed =
      (['now', 'since', 'change', 'former', 'formerBefore'] as const).some(has) || SET_TO.test(this.#content);
    return {
      content: this.#content,
      letters: pieces.length > 0 ? lettersOf(this.#content) : '',
      tokens,
      relations: this.#relations,
      states: this.#states,
      single: pieces.length > 0,
      question: pieces.some(({ key }) => key === '?' || key === '？') || /[か吗呢]$/u.test(this.#content),
      changed,
      denies: has('negation') || has('former') || has('formerBefore'),
      contrasts: this.#contrasts || has('former') || has('formerBefore') || this.#tokens.affirmsLast,
      moves: this.#moves,
      joins: this.#joins,
      introduced:
        pieces.some(({ key }) => key === ':') || /^(?:reason|since)$/.test(cueAt(pieces, 0)?.cue ?? ''),
      takesOver: this.#takesOver || this.#relations.has('own'),
      plan:
        has('plan') ||
        (this.#bids && !ORDERED.test(this.#content)) ||
        (!changed && NEXT_PERIOD.test(this.#content)),
      past: has('past'),
      addition: has('addition'),
      rumour: has('rumour') || QUOTING.test(this.#content),
      unreal: has('unreal') || NOT_SO.test(this.#content) || (!changed && FOR_A_WHILE.test(this.#content)),
      partial: PARTIAL.test(this.#content),
      event:
        this.#event ||
        tokens.some(({ kind, detail }) => kind === 'time' && detail === 'relative') ||
        ONE_PART_OF_DAY.test(this.#content),
      firstPerson: pieces.some(({ key }) => FIRST_PERSON.has(key)) || WE_DO.test(this.#content),
      definite: this.#isDefinite(),
      label: this.#label,
    };
  }

  /** Reads what stands at a place; answers how many pieces that took. */
  #readPiece(at: number, changes: boolean): number {
    const piece = this.#pieces[at];
    if (!piece) return 1;
    if (piece.mark) {
      this.#readMark(piece.key, at);
      return 1;
    }
    if (this.#reason.holds(piece.key)) return 1;
    if (isToolVerb(this.#pieces, at)) return this.#readWord(piece, at, changes);
    const cue = this.#cueAt(at);
    const found = stateAt(this.#pieces, at);
    // "started working" is no state of work.
    const state = found && !(cue && cue.length > found.length) ? found : undefined;
    if (state) this.#states.push(state.state);
    // "New customers get a discount": there are others.
    if (cue?.cue === 'now' && NEW.has(piece.key) && this.#areSome(at + 1))
      return this.#readWord(piece, at, changes);
    // "my new number is", not "likes the new format".
    if (cue?.cue === 'now' && NEW.has(piece.key) && !this.#tokens.isEmpty && !this.#getsAnother(at))
      return cue.length;
    if (cue && !(state && state.length > cue.length)) {
      this.#readCue(cue, at);
      if (this.#pieces[at + cue.length - 1]?.key === 'from')
        this.#readDirection('from', at + cue.length - 1, true);
      // "sold" is both: what was sold follows, and it is a state of what stands before.
      if (state) this.#tokens.addState(state.state);
      return cue.length;
    }
    if (state) {
      if (this.#isEvent(piece.text, piece.key, at)) this.#event = true;
      // "got merged last week"
      if (GOT.has(this.#pieces[at - 1]?.key ?? '')) this.#cues.add('change');
      // "TODO: buy milk"
      if (this.#pieces[at + state.length]?.key !== ':') this.#tokens.seeVerb();
      this.#tokens.addState(state.state);
      return state.length;
    }
    return this.#readWord(piece, at, changes);
  }

  /** "wurde durch SumUp ersetzt"; but "wurde durch die Chefin bestätigt" says nothing of what was before. */
  #cueAt(at: number): ReturnType<typeof cueAt> {
    const cue = cueAt(this.#pieces, at);
    const isBy = cue?.length === 2 && this.#pieces[at + 1]?.key === 'durch';
    return isBy && !/\s(?:ersetzt|abgelöst)(?!\p{L})/u.test(this.#content) ? undefined : cue;
  }

  #readMark(mark: string, at: number): void {
    if (mark !== ',') this.#tokens.startPart();
    // "Наш врач — Ольга": where Russian says nothing else.
    if (mark === '—' && CYRILLIC.test(this.#content) && this.#relations.size === 0) this.#readRelation('be');
    if (mark === ':' || mark === '=') {
      const saysNothing = this.#relations.size === 0 && this.#cues.size === 0;
      if (saysNothing && !this.#tokens.isEmpty)
        this.#label = labelAt(this.#pieces, at, this.#tokens.namesList) ?? this.#label;
      this.#tokens.seeVerb();
      this.#tokens.startClause();
    }
    if (CLAUSE_ENDS.has(mark) || /^[-–—]/.test(mark)) {
      this.#tokens.denying = undefined;
      this.#reason.end();
      this.#tokens.startClause();
    }
  }

  #isDefinite(): boolean {
    const [first, ...rest] = this.#pieces;
    if (!first || this.#tokens.namesList) return false;
    return DETERMINERS.has(first.key) || [first, ...rest.slice(0, 1)].some(({ text }) => /'s$/.test(text));
  }

  #readCue({ cue, length }: { readonly cue: Cue; readonly length: number }, at: number): void {
    // "no longer wants to" is no plan.
    if (cue === 'plan' && this.#tokens.denying === 'not') return;
    const key = this.#pieces[at]?.key ?? '';
    if (BIDDING.has(key)) this.#bids = true;
    if (BIDDING.has(key) || cue === 'recent') return;
    this.#cues.add(cue);
    if (cue === 'reason' && at === 0) this.#cues.add('now');
    if (cue === 'negation' && this.#pieces[at - 1]?.mark) this.#contrasts = true;
    this.#readVerbs(cue, this.#pieces.slice(at, at + length), this.#pieces[at + length]?.key ?? '');
    if (cue === 'change') this.#tokens.seeVerb();
    if (cue === 'former' || (cue === 'now' && !this.#tokens.isEmpty && !NEW.has(key)))
      this.#tokens.endSubject();
    // "was in Oslo and moved a meeting": it is not the meeting that was in something.
    if (cue === 'change') this.#tokens.startPhrase('');
    else if (cue !== 'now') this.#tokens.startPart();
    this.#beginBehindCue(cue, key, at);
  }

  /** What the verbs of a cue say besides: that somebody moved, works somewhere, joined, or took a place. */
  #readVerbs(cue: Cue, phrase: readonly Piece[], behind: string): void {
    const keys = phrase.map(({ key }) => key);
    const [first = ''] = keys;
    if (keys.some((key) => MOVING.test(key))) this.#moves = true;
    // "started working at"
    const works = keys.some((key) => relations.get(key) === 'work');
    if (cue === 'change' && works && behind !== 'out') this.#readRelation('work');
    if (JOINING.has(keys.join('_')) || this.#goesOver(first)) this.#joins = true;
    if (TAKING_OVER.has(first)) this.#takesOver = true;
  }

  /** How what follows a cue is to be read: as denied, or as a reason. */
  #beginBehindCue(cue: Cue, key: string, at: number): void {
    if (cue === 'former' || cue === 'negation')
      this.#tokens.denying = key.startsWith('replac') ? 'from' : 'not';
    else if (cue === 'now') this.#tokens.denying = undefined;
    else if (cue === 'formerBefore') this.#tokens.denyClause();
    else if (cue === 'since' && at === 0) {
      // "Since Monday", but not "Since Ann left".
      if (this.#pieces.slice(1, 3).some((piece) => dateWords.has(piece.key))) this.#reason.begin('since');
    } else if ((cue === 'reason' || cue === 'since') && at > 0) {
      // "expires after 1 hour" says when, not why.
      const saysWhen = key === 'after' && /^\d/.test(this.#pieces[at + 1]?.key ?? '');
      if (!saysWhen) this.#reason.begin(cue);
    }
  }

  /** "ist zu Bosch gewechselt"; but "hat den Anbieter gewechselt". */
  #goesOver(key: string): boolean {
    return (
      /^(?:gewechselt|wechselte)$/.test(key) && this.#pieces.some((piece) => /^zu[mr]?$/.test(piece.key))
    );
  }

  #readWord(piece: Piece, at: number, changes: boolean): number {
    const { text, key } = piece;
    const before = this.#pieces[at - 1]?.key ?? '';
    const behind = this.#pieces[at + 1]?.key ?? '';
    // "Before Graz, she lived in Linz"
    if (at === 0 && BEFORE.has(key)) this.#cues.add('past');
    if (PER.has(key) && this.#tokens.addRate(behind)) return 2;
    if (this.#tokens.addUnit(key)) return 1;
    if ((key === 'old' || key === 'alt') && this.#tokens.takeForAge()) return 1;
    // "MIT" is no preposition of another language.
    if (ABBREVIATION.test(text) || (LETTER.test(text) && !this.#tokens.isEmpty)) {
      this.#tokens.add(piece, before);
      return 1;
    }
    // "from 9 to 5", "9 to 5"
    const isRange = key === 'to' && !changes && HOUR.test(before) && HOUR.test(behind);
    if (isRange && this.#tokens.addRange(behind)) return 2;
    // "does not open until 9": it opens then.
    if (key === 'until' && this.#tokens.denying === 'not') this.#tokens.denying = undefined;
    this.#readDirection(key, at, changes);
    if (isToolVerb(this.#pieces, at)) this.#tokens.add(piece, before);
    const relation = relationAt(this.#pieces, at);
    if (relation) {
      // "喜欢的颜色": the colour that is liked.
      if (behind !== '的') this.#readVerb(relation, key);
      return 1;
    }
    this.#readTellingWord(piece, at, before);
    return 1;
  }

  /** A verb that relates the subject to what follows. */
  #readVerb(relation: Relation, key: string): void {
    this.#readRelation(relation);
    if (!DISLIKING.has(key)) return;
    this.#cues.add('negation');
    this.#tokens.denying = 'not';
  }

  /** A word that is no verb and belongs to no number: it may divide the sentence, else it tells something. */
  #readTellingWord(piece: Piece, at: number, before: string): void {
    const { text, key } = piece;
    // What a sentence is about stands before these.
    if (TOPIC_MARKS.has(key)) this.#tokens.seeVerb();
    if (DIVIDERS.has(key) && !JOINERS.has(key)) this.#tokens.startPhrase(key);
    if (isChild(this.#pieces, at) || isFirstName(this.#pieces, at)) {
      this.#tokens.add(piece, '');
      return;
    }
    if (FUNCTION_WORDS.has(key) || DIVIDERS.has(key) || JOINERS.has(key) || HIRAGANA.test(key)) return;
    if (this.#isPlaceBehind(at)) this.#tokens.startPhrase(before);
    if (this.#isEvent(text, key, at)) this.#event = true;
    this.#tokens.add(piece, before);
    if (before === 'turned' && AGE.test(key) && (this.#pieces[at + 1]?.mark ?? true))
      this.#tokens.takeForAge();
  }

  /** "habite à Lyon", "mi sono trasferito a Torino", "się do Gdańska"; but "moved a Picasso", where "a" is an article. */
  #isPlaceBehind(at: number): boolean {
    const [verb = '', before] = this.#pieces.slice(Math.max(0, at - 2), at).map(({ key }) => key);
    if (!/^\p{Lu}/u.test(this.#pieces[at]?.text ?? '')) return false;
    if (before === 'do') return this.#moves;
    const isOfPlace = relations.get(verb) === 'live' || MOVING.test(verb);
    return before === 'a' && isOfPlace && !ENGLISH_OF_PLACE.test(verb);
  }

  /** An English plural that is no attribute: "customers", but not "prices". */
  #areSome(at: number): boolean {
    const noun = this.#pieces[at]?.key ?? '';
    return (
      PLURAL.test(noun) && !ATTRIBUTES.has(noun.replace(/e?s$/, '')) && !ATTRIBUTES.has(noun.slice(0, -1))
    );
  }

  /** "has a new phone number" */
  #getsAnother(at: number): boolean {
    const next = this.#pieces.slice(at + 1, at + 3);
    return this.#relations.has('have') && next.some(({ key }) => ATTRIBUTES.has(key) || SOFT_WORDS.has(key));
  }

  #readRelation(relation: Relation): void {
    this.#relations.add(relation);
    this.#tokens.seeVerb();
    this.#tokens.startPhrase('');
  }

  /** "from Slack to Mattermost": what was, where something changes. */
  #readDirection(key: string, at: number, changes: boolean): void {
    if (!changes) return;
    if (key === 'から' && this.#goesOn(at)) {
      this.#tokens.denyPart();
      this.#contrasts = true;
    } else if (FROM.has(key)) {
      const rest = this.#pieces.slice(at + 1);
      const end = rest.findIndex((piece) => CLAUSE_ENDS.has(piece.key));
      const clause = end < 0 ? rest : rest.slice(0, end);
      if (key === 'from' || clause.some((piece) => TO.has(piece.key))) {
        this.#tokens.denying = 'from';
        this.#contrasts = true;
      }
    } else {
      // An English "a" behind "from" is an article.
      const isArticle = key === 'a' && FROM_ENGLISH.has(this.#pieces[at - 1]?.key ?? '');
      const endsFrom = this.#tokens.denying === 'from' && TO.has(key) && !isArticle;
      if (BUT.has(key) || endsFrom) this.#tokens.denying = undefined;
    }
  }

  /** Whether a word follows that says something. */
  #goesOn(at: number): boolean {
    return this.#pieces.some(
      (piece, place) =>
        place > at && !piece.mark && !HIRAGANA.test(piece.key) && cueAt(this.#pieces, place) === undefined,
    );
  }

  #isEvent(text: string, key: string, at: number): boolean {
    const isPast =
      !ATTRIBUTES.has(key) && (PAST_VERBS.has(key) || (/\p{Ll}{2}ed$/u.test(text) && key.length > 4));
    if (!isPast) return false;
    const before = this.#pieces.slice(Math.max(0, at - 2), at);
    return !before.some((piece) => AUXILIARY.has(piece.key)) && !this.#tokens.isBehindVerb;
  }
}
