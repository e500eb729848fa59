import type { Relation } from './relations.ts';

/** A word or number that says what a fact is about, or what it says of it. */
export interface Token {
  /** What two facts are compared by. */
  readonly key: string;
  readonly text: string;
  readonly kind: 'word' | 'number' | 'time';
  /** The dimension of a number, the part of a date that a time names. */
  readonly detail: string;
  /** Words with the same number stand together, with nothing but articles between them. */
  readonly part: number;
  /** The fact says that this is not so, or is no longer. */
  readonly denied: boolean;
  /** It stands before the verb, or before the colon. */
  readonly subject: boolean;
  /** "a doctor": one of many. */
  readonly indefinite: boolean;
  /** It may be left unsaid. */
  readonly soft: boolean;
  /** It says where or in which case a fact holds. */
  readonly scope: boolean;
  /** The preposition before it, if any. */
  readonly preposition: string;
  /** It names an attribute with one value: "port". */
  readonly attribute: boolean;
}

/** A state such as "open", and what it is a state of: "open" and "sold" are of two scales, "broken" is of several. */
export interface State {
  readonly scales: readonly string[];
  readonly key: string;
  /** The keys of the words that name it. */
  readonly keys: readonly string[];
}

/** What the rules know of a memory's content. */
export interface Fact {
  readonly content: string;
  /** Its letters, apart from case and spaces. */
  readonly letters: string;
  readonly tokens: readonly Token[];
  readonly relations: ReadonlySet<Relation>;
  readonly states: readonly State[];
  /** Short enough to say one thing; of others nothing was read. */
  readonly single: boolean;
  readonly question: boolean;
  /** It says that something is otherwise than before. */
  readonly changed: boolean;
  /** It says "not" or "no longer" of something. */
  readonly denies: boolean;
  /** It says what is so beside what is not: "Berlin, not Paris". */
  readonly contrasts: boolean;
  /** Somebody or something moved to another place. */
  readonly moves: boolean;
  /** Somebody joined a company, or a club. */
  readonly joins: boolean;
  /** Something is said before its subject: why it is so, or who speaks. */
  readonly introduced: boolean;
  /** Its subject takes a place that another had: "Ben became CEO". */
  readonly takesOver: boolean;
  readonly plan: boolean;
  readonly past: boolean;
  readonly addition: boolean;
  readonly rumour: boolean;
  /** It is so in a story or an example only, or for a few days, or was taken back. */
  readonly unreal: boolean;
  /** It tells of one or some of many: "one of my friends". */
  readonly partial: boolean;
  /** It tells what happened once. */
  readonly event: boolean;
  readonly firstPerson: boolean;
  /** It speaks of one thing: "our customer", "Ben's dog". */
  readonly definite: boolean;
  /** Whether a short value follows a colon or an equals sign, and whether what stands before is the name of a list. */
  readonly label: 'single' | 'list' | undefined;
}
