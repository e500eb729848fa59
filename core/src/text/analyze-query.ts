import { compoundPartsOf, compoundsOf, initialismsOf, type Joined } from './compounds.ts';
import { type Language, languageOf } from './language.ts';
import { asksOneQuestion, focusOf, hasQuestion } from './question.ts';
import { isFunctionWord, isGrammatical, isStopWord, isTopical, withoutQuestionWords } from './stop-words.ts';
import { synonymsOf } from './synonyms.ts';
import { commonnessOf, isEnglish, termOf, trigramsOf, variantsOf } from './terms.ts';
import { asksWhen } from './time/asks-when.ts';
import { isShort, type Period } from './time/period.ts';
import { readTimeExpression } from './time/time-expression.ts';
import { CJK, fold, isUnspaced, lengthInWords, splitWords, type Word } from './words.ts';

/** One term to look up for a query. */
export interface QueryTerm {
  readonly term: string;
  /** Place of the word this term stands for, 0 being the most informative; terms of one word are alternatives. */
  readonly word: number;
  /** How much a match of this term tells about its word, 0 to 1; more for a word that a conversation repeats. */
  readonly weight: number;
  /** Share of memories in general that are expected to hold the term: the prior of its idf. */
  readonly commonness: number;
  /** Whether the term is the word itself. Other terms stand for it where a memory does not hold it. */
  readonly whole: boolean;
  /** Whether the term is what was meant by a word with a typing error. It stands for the word only where no memory holds that. */
  readonly mended?: boolean;
}

/** A query as recall uses it. */
export interface AnalyzedQuery {
  /** Distinct terms, most informative first, at most 64; of a conversation 256. */
  readonly terms: readonly QueryTerm[];
  /** The time the query speaks of ("last week", "in May"), if any. */
  readonly period?: Period;
  /** Whether the time counts as a word of the query does: a short one, in a question that names something beside it. */
  readonly periodTells: boolean;
  /** Whether any of its words tells what is looked for. "What happened yesterday?" only tells when. */
  readonly hasTopic: boolean;
  /** Whether the query asks for what is newest ("latest", "currently"). */
  readonly newest: boolean;
  readonly askedAt: Date;
  /** Whether the query asks when something was or will be. */
  readonly asksWhen: boolean;
  /** The part of the query to embed: what a long message asks, else the query itself. */
  readonly focus: string;
  /** Whether the query is a talk of several turns rather than one question. */
  readonly isConversation: boolean;
  /** Whether it asks for something, by a question or by key words. A talk does not, nor does who only says something. */
  readonly asks: boolean;
  /** Its length in words, as written. */
  readonly length: number;
  /** How many of its words, the most informative ones, a memory that matches the query in full can be expected to hold. */
  readonly expectedWords: number;
  /** ISO 639-1 code of the query's language; undefined where nothing tells it. */
  readonly language: Language | undefined;
  /** By place, the words that English does not know: they may have a typing error. */
  readonly unknownWords: ReadonlyMap<number, Word>;
  /** The query's words, lower-cased, and their stems: whom it may name, in whatever case of grammar. */
  readonly names: ReadonlySet<string>;
  /** The whole query, folded, to be found word for word. */
  readonly text: string;
}

const ASKS = new RegExp(
  [
    '^\\s*(?:what|when|where|who|whom|whose|which|why|how|is|are|was|were|do|does|did|can|could|tell|find|show)\\b',
    '什么|什麼|多少|[谁誰哪几幾吗嗎呢怎]|[为為]何|如何',
    '何|いつ|どこ|ど[のれう]|どちら|どんな|なぜ|いく[つら]|だれ|教えて|[かは]。?$',
    '(?<!\\p{L})(?:gì|nào|đâu|mấy|bao nhiêu|bao lâu|tại sao|vì sao)(?!\\p{L})',
    'อะไร|ใคร|ไหน|เมื่อไ|ท(?:ำ|ํา)ไม|อย่างไร|ยังไง|เท่าไ|กี่|ไหม|หรือไม่|ใด',
    '무엇|무슨|뭐|뭘|언제|어디|누구|누가|얼마|어떤|어떻게|어느|(?<!\\p{sc=Hangul})(?:왜(?!\\p{sc=Hangul})|몇)|나요|까요?[.]?$|[가-힣]지[.]?$',
  ].join('|'),
  'iu',
);
/** A query of so many words may be key words. */
const KEY_WORDS = 5;
/**
 * A question asks for a memory that holds its words. Who only says something names little of what a memory is about. In Chinese,
 * Japanese and Korean a word is looked up by several pieces.
 */
const EXPECTED_WORDS = { statement: 3, statementInCjk: 5, conversation: 5, conversationInCjk: 8 };
/** What only Spanish begins a question or an exclamation with, whatever its few words may also be. */
const SPANISH_MARK = /^\s*[¿¡]/;
const MOST_TERMS = { question: 64, conversation: 256 };
/** Words of a query that are looked at: beyond, they cannot come among its terms in any sensible way. */
const MOST_WORDS = 512;
/** A query of more words is a conversation, unless it is a message around one question. */
const WORDS_OF_A_MESSAGE = 40;
/** As many pairs of Chinese, Japanese or Korean characters say what one word does in a talk. */
const PAIRS_OF_A_WORD = 2;
/**
 * A question's most informative words count in full, further ones ever less: a whole message as the query is
 * answered by a memory that meets its core, not by one that shares its small talk.
 */
const FULL_WORDS = 8;
/** The same of character pairs, of which a word has some. */
const FULL_PAIRS = 24;
/** The same of the syllables of Vietnamese, of which most words have two. */
const FULL_SYLLABLES = 16;
/** What a word counts that stands beside the question of a long message. */
const BESIDE_WEIGHT = 0.2;
/** What a single Han character counts beside the pairs it stands in. */
const CHARACTER_WEIGHT = 0.7;
/** What a pair counts that is mostly grammar. */
const GRAMMATICAL_WEIGHT = 0.3;
/** What a word counts that names the time of the query: what happened then rarely says it. */
const TIME_WEIGHT = 0.5;
/** All trigrams of a word together tell less than the word. */
const TRIGRAM_WEIGHT = 0.7;
/** What a stop word counts of another language than English. */
const STOP_WORD_WEIGHT = 0.02;
/** A word that is used for the same tells less than the very word. */
const SYNONYM_WEIGHT = 0.6;
/** The same word by the stem of another language. */
const VARIANT_WEIGHT = 0.9;
/** A syllable of Vietnamese without its marks, as some type it: it may be any of several words. */
const UNMARKED_WEIGHT = 0.2;
/** A part of a compound may be any word that begins or ends it. */
const PART_WEIGHT = 0.4;
const PART_COMMONNESS = 0.002;
/** Two words that are also written as one, or several by their initials. */
const JOINED_WEIGHT = 0.9;
/** Trigrams are shared by many words. */
const TRIGRAM_COMMONNESS = 0.01;

/**
 * Reads a query: the terms to look up, most informative first, and what it says about time.
 * @param now what "last week" is relative to
 */
export function analyzeQuery(query: string, now: Date): AnalyzedQuery {
  const all = splitWords(query);
  const language = SPANISH_MARK.test(query) ? 'es' : languageOf(all);
  const length = lengthAsWritten(query, all);
  const lengthInCjk = all.filter(isCjkPair).length / PAIRS_OF_A_WORD;
  const isConversation = Math.max(length, lengthInCjk) > WORDS_OF_A_MESSAGE && !asksOneQuestion(query);
  const said =
    `${isConversation ? 'conversation' : 'statement'}${lengthInCjk > length ? 'InCjk' : ''}` as const;
  const asks = !isConversation && !isStatement(query, Math.max(length, lengthInCjk));
  const focus = isConversation ? query : focusOf(query);
  const telling = isConversation ? all : tellingWords(query, all);
  const asked = distinct(focus === query ? telling : tellingWords(focus));
  const words = (focus === query ? asked : distinct([...asked, ...telling])).slice(0, MOST_WORDS);
  const { rest, ...time } = readTimeExpression(query, now, language);
  const untimed = time.period ? wordsIn(rest, all) : all;
  const weigh = isConversation ? byRepetition(all) : byFocus(asked);
  const weighTime = time.period ? byTime(untimed) : () => 1;
  const looked = queryWords(words, language);
  const stopWords = new Set(isConversation ? [] : foreignStopWords(words, looked, language));
  const weighed = [...looked, ...stopWords]
    .map((word) => ({
      word,
      weight: weigh(word) * kindWeight(word) * weighTime(word) * (stopWords.has(word) ? STOP_WORD_WEIGHT : 1),
      commonness: commonnessOf(word, language),
    }))
    .sort((a, b) => b.weight - a.weight || a.commonness - b.commonness);
  const terms = weighed.flatMap((one, place) => {
    const found = termsOf(one, place, { language, isConversation });
    return stopWords.has(one.word) ? found.slice(0, 1) : found;
  });
  const inOrder = isConversation ? [] : all.slice(0, MOST_WORDS);
  const joined = [...compoundsOf(inOrder), ...initialismsOf(inOrder)];
  const most = isConversation ? MOST_TERMS.conversation : MOST_TERMS.question;
  return {
    terms: mostInformative(terms, joinedTerms(joined, terms, language), most),
    ...time,
    periodTells: asks && isShort(time.period) && untimed.some((word) => isContent(word, language)),
    hasTopic: isConversation || untimed.some((word) => isTopical(word, language)),
    focus,
    isConversation,
    asks,
    length,
    expectedWords: asks ? Number.POSITIVE_INFINITY : EXPECTED_WORDS[said],
    language,
    unknownWords: new Map(
      [...weighed.entries()].flatMap(([place, { word }]) =>
        word.kind === 'word' && !isEnglish(word) && !stopWords.has(word) ? [[place, word]] : [],
      ),
    ),
    asksWhen: asksWhen(query, language),
    askedAt: now,
    names: new Set(words.flatMap((word) => [word.text, termOf(word, language)])),
    text: fold(query.trim()),
  };
}

/** The words of a question without what only asks, as far as scripts without spaces go, unless it has no others. */
function tellingWords(question: string, all: readonly Word[] = splitWords(question)): readonly Word[] {
  const telling = withoutQuestionWords(question);
  const words = telling === question ? all : splitWords(telling);
  return words.length > 0 ? words : all;
}

/** The words worth looking up: neither function nor question words, unless there are no others. */
function queryWords(words: readonly Word[], language: Language | undefined): readonly Word[] {
  const asked = words.filter((word) => !isStopWord(word, language));
  const content = words.filter((word) => !isFunctionWord(word));
  return [asked, content, words].find((choice) => choice.length > 0) ?? [];
}

/**
 * The stop words of another language than English, which memories are indexed with. They tell little, but something where no memory
 * holds the other words: "bis wann" is answered by "bis Freitag".
 */
function foreignStopWords(
  words: readonly Word[],
  looked: readonly Word[],
  language: Language | undefined,
): readonly Word[] {
  if (language === undefined || language === 'en') return [];
  const others = new Set(looked);
  return words.filter((word) => word.kind === 'word' && !others.has(word) && !isFunctionWord(word));
}

/** Whether a word names a thing: no "this" nor "must", by which a question is about something too. */
function isContent(word: Word, language: Language | undefined): boolean {
  return isTopical(word, language) && !isStopWord(word, language);
}

/** Whether a query only says something. */
function isStatement(query: string, length: number): boolean {
  return length > KEY_WORDS && !hasQuestion(query) && !ASKS.test(query);
}

/** Those words that are left in the folded rest of a query, which shows no names, without what only asks. */
function wordsIn(rest: string, all: readonly Word[]): readonly Word[] {
  const left = new Set(splitWords(withoutQuestionWords(rest)).map(({ text }) => text));
  return all.filter(({ text }) => left.has(text));
}

/** Length of a query in words, an identifier being one whatever its parts. */
function lengthAsWritten(query: string, words: readonly Word[]): number {
  const spaced = query.split(/\s+/).length;
  return Math.max(spaced, lengthInWords(words.filter(isUnspaced)));
}

function isCjkPair({ kind, text }: Word): boolean {
  return kind === 'gram' && text.length > 1 && CJK.test(text);
}

type Weigh = (word: Word) => number;

/** A question weighs more than the message around it. */
function byFocus(asked: readonly Word[]): Weigh {
  const inFocus = new Set(asked.map(({ text }) => text));
  return ({ text }) => (inFocus.has(text) ? 1 : BESIDE_WEIGHT);
}

/** What a conversation comes back to weighs more than what it mentions once. */
function byRepetition(all: readonly Word[]): Weigh {
  const counts = new Map<string, number>();
  for (const { text } of all) counts.set(text, (counts.get(text) ?? 0) + 1);
  return ({ text }) => Math.sqrt(counts.get(text) ?? 1);
}

/** What names the time of the query weighs less than its other words. */
function byTime(untimed: readonly Word[]): Weigh {
  const others = new Set(untimed.map(({ text }) => text));
  return ({ text }) => (others.has(text) ? 1 : TIME_WEIGHT);
}

function kindWeight(word: Word): number {
  if (isGrammatical(word)) return GRAMMATICAL_WEIGHT;
  return word.kind === 'gram' && word.text.length === 1 ? CHARACTER_WEIGHT : 1;
}

interface WeighedWord {
  readonly word: Word;
  readonly weight: number;
  readonly commonness: number;
}

/** What words of a query are written as together, by the most informative of them. */
function joinedTerms(
  joined: readonly Joined[],
  own: readonly QueryTerm[],
  language: Language | undefined,
): QueryTerm[] {
  const wholes = new Map(own.filter(({ whole }) => whole).map((one) => [one.term, one]));
  // Each word is a part of several.
  const termsOfParts = new Map<string, QueryTerm | undefined>();
  const wholeOf = (part: string) => {
    if (!termsOfParts.has(part))
      termsOfParts.set(part, wholes.get(termOf({ text: part, kind: 'word' }, language)));
    return termsOfParts.get(part);
  };
  return joined.flatMap(({ text, of }) => {
    let first: QueryTerm | undefined;
    for (const part of of) {
      const whole = wholeOf(part);
      if (whole && !(first && first.word <= whole.word)) first = whole;
    }
    if (!first) return [];
    const word: Word = { text, kind: 'word' };
    const [term, commonness] = [termOf(word, language), commonnessOf(word, language)];
    return [{ term, word: first.word, weight: JOINED_WEIGHT * first.weight, commonness, whole: false }];
  });
}

/** The terms of the query's word of the given place, the most informative word being the first. */
function termsOf(
  { word, weight: of, commonness }: WeighedWord,
  place: number,
  { language, isConversation }: Pick<AnalyzedQuery, 'language' | 'isConversation'>,
): QueryTerm[] {
  const full = word.kind === 'gram' ? FULL_PAIRS : language === 'vi' ? FULL_SYLLABLES : FULL_WORDS;
  const share = of * (isConversation ? 1 : Math.min(1, (full / (place + 1)) ** 2));
  const own = { term: termOf(word, language), word: place, weight: share, commonness, whole: true };
  const alternative = (term: string, weight: number, expected = commonness) => ({
    term,
    word: place,
    weight: share * weight,
    commonness: expected,
    whole: false,
  });
  const ofVariant = language === 'vi' ? UNMARKED_WEIGHT : VARIANT_WEIGHT;
  const trigrams = trigramsOf(word);
  const ofTrigram = TRIGRAM_WEIGHT / Math.max(1, trigrams.length);
  return [
    own,
    ...variantsOf(word, language).map((term) => alternative(term, ofVariant)),
    // A conversation says much: what it only might mean is noise.
    ...(isConversation ? [] : synonymsOf(word, language ?? 'en')).map((synonym) =>
      alternative(synonym.term, SYNONYM_WEIGHT, synonym.commonness),
    ),
    ...(isConversation ? [] : compoundPartsOf(word, language)).map((text) =>
      alternative(termOf({ text, kind: 'word' }, language), PART_WEIGHT, PART_COMMONNESS),
    ),
    ...trigrams.map((term) => alternative(term, ofTrigram, TRIGRAM_COMMONNESS)),
  ];
}

function informativeness({ weight, commonness }: QueryTerm): number {
  return weight * -Math.log(commonness);
}

function distinct(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [`${word.text} ${word.isName ?? false}`, word])).values()];
}

/**
 * So many distinct terms, the most informative first. The words themselves are kept before what stands for them: a name at the end
 * of a long question tells more than the synonyms of all words before it. What words are written as together takes what room is
 * left.
 */
function mostInformative(
  terms: readonly QueryTerm[],
  joined: readonly QueryTerm[],
  most: number,
): QueryTerm[] {
  // Not computed anew for each comparison of the sort.
  const measured = (all: readonly QueryTerm[]) => all.map((item) => ({ item, tells: informativeness(item) }));
  const byInformativeness = (a: { readonly tells: number }, b: { readonly tells: number }) =>
    b.tells - a.tells;
  const isWhole = ({ item }: { readonly item: QueryTerm }) => item.whole;
  const own = measured(terms).sort(byInformativeness);
  const seen = new Set<string>();
  return [...own.filter(isWhole), ...own.filter((one) => !isWhole(one)), ...measured(joined)]
    .filter(({ item: { term } }) => !seen.has(term) && seen.add(term))
    .slice(0, most)
    .sort(byInformativeness)
    .map(({ item }) => item);
}
