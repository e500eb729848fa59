import { isStopWordOf, type Language, stem } from './language.ts';
import { simplify } from './simplified.ts';
import { agentWords, functionWords } from './stop-words.ts';
import { wordFrequency, wordTable } from './word-table.ts';
import { fold, type Word } from './words.ts';

/** Words of a typical memory, over which a word's frequency in text becomes its chance to be in a memory. */
const TYPICAL_MEMORY_WORDS = 25;
/** Shorter words are their own stems. */
const SHORTEST_STEMMED = 3;
/** Languages in which a word of unknown language is looked up. */
const USUAL_LANGUAGES: readonly Language[] = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'ru'];
/** Share of memories expected to hold a word that the word table does not know. */
const UNKNOWN_COMMONNESS = 0.0005;
/** The same for a name that is written like a word of every text, such as "May": as common as other months. */
const NAME_COMMONNESS = 0.005;
/** The same for a number and for one or two characters of a script without spaces. */
const NUMBER_COMMONNESS = 0.01;
const GRAM_COMMONNESS = 0.005;
/** The same for words that are expected everywhere. */
const EVERYWHERE_COMMONNESS = 0.3;
/** Shortest word whose trigrams are kept: shorter ones have too few to tell words apart. */
const SHORTEST_WITH_TRIGRAMS = 5;
/** Trigrams kept of one word, from its start; words longer than this are rarely words. */
const MOST_TRIGRAMS_PER_WORD = 24;
/** Marks stop words, so that the Portuguese "com" is no stem of "comer". */
const STOP_WORD_MARK = '=';
/** Marks trigram terms, so that the trigram "api" and the word "api" stay two terms. */
export const TRIGRAM_MARK = '~';

/**
 * The term under which a word is looked up: its stem in the language of its text; English unless told. The stem is that of the
 * word as written and loses its diacritics afterwards, since "informação" and "informações" meet by their endings only. Chinese is
 * looked up in simplified characters, and a stop word of another language than English as what it is.
 */
export function termOf(word: Word, language: Language = 'en'): string {
  if (word.kind === 'gram') return simplify(word.text);
  if (language !== 'en' && word.kind === 'word' && !word.isName && isStopWordOf(language, word.text))
    return STOP_WORD_MARK + word.text;
  if (word.kind !== 'word' || word.text.length < SHORTEST_STEMMED) return withUsualLetters(word.text);
  if (language === 'en') return withUsualLetters(stem(irregularForms.get(word.text) ?? word.text, language));
  const found = stem(word.written ?? word.text, language);
  return withUsualLetters(word.written === undefined ? found : fold(found));
}

/**
 * Letters that many write as others: the dotless "ı" of Turkish as "i", and letters of Arabic as on
 * a Persian keyboard. Stems need them, what they are looked up by does not.
 */
const INTERCHANGED: ReadonlyMap<string, string> = new Map([
  ['ı', 'i'],
  ['ی', 'ي'],
  ['ى', 'ي'],
  ['ک', 'ك'],
]);
const INTERCHANGED_LETTER = new RegExp(`[${[...INTERCHANGED.keys()].join('')}]`, 'g');
/** A nasal of Hindi before a consonant of its place, which most write as a dot, and the moon and dot that few write. */
const HINDI_NASAL =
  /ङ\u094d(?=[क-घ])|ञ\u094d(?=[च-झ])|ण\u094d(?=[ट-ढ])|न\u094d(?=[त-ध])|म\u094d(?=[प-भ])|\u0901/g;
const ASCII = /^\p{ASCII}*$/u;

function withUsualLetters(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .replace(INTERCHANGED_LETTER, (letter) => INTERCHANGED.get(letter) ?? letter)
    .replace(HINDI_NASAL, '\u0902');
}

/**
 * The terms of a memory's word. What the word table holds may be an English word in a text of another language, such as a
 * loan or a technical term: that is found by its English stem too. A word with diacritics is also found by whoever types none.
 */
export function documentTermsOf(word: Word, language: Language): string[] {
  const term = termOf(word, language);
  if (term.startsWith(STOP_WORD_MARK)) return [term];
  const spelled = spelledOut(word, language);
  const terms = spelled ? [term, ...documentTermsOf(spelled, language)] : [term];
  if (language === 'en') return terms;
  if (isEnglish(word)) terms.push(termOf(word, 'en'));
  if (word.written !== undefined || language === 'vi') terms.push(termOf(withoutDiacritics(word), language));
  return terms.length === 1 ? terms : [...new Set(terms)];
}

function withoutDiacritics({ text, kind }: Word): Word {
  return { text: fold(text), kind };
}

/**
 * Further terms of a query's word: a memory of a few words may not show its language, nor may a query. Then the stems of both
 * can differ, as can the German "ü" and "ue".
 *
 * @param language of the query, if known
 */
export function variantsOf(word: Word, language: Language | undefined): string[] {
  if (word.kind !== 'word') return [];
  const { kind } = word;
  const spelled = spelledOut(word, language ?? 'de');
  const languages = language === undefined ? USUAL_LANGUAGES : ([language, 'en'] as const);
  const terms = spelled ? [...languages, 'de' as const].map((one) => termOf(spelled, one)) : [];
  if (language !== 'en' && !(language === undefined && isEnglish(word))) {
    const spellings = [word, withoutDiacritics(word), { text: word.text.replace(/([aou])e/g, '$1'), kind }];
    terms.push(...spellings.flatMap((spelling) => languages.map((one) => termOf(spelling, one))));
  }
  return [...new Set(terms)].filter((term) => term !== termOf(word, language));
}

/** Languages whose letters are also written by two, and in which names with them stand. */
const SPELLED_OUT_IN: ReadonlySet<Language> = new Set(['de', 'da', 'no', 'en']);
const SPELLED_OUT: ReadonlyMap<string, string> = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ø', 'oe'],
  ['å', 'aa'],
]);
const LETTER_OF_TWO = new RegExp(`[${[...SPELLED_OUT.keys()].join('')}]`, 'g');

/** The word as it is written where a keyboard lacks its letters: "Müller" as "mueller". */
function spelledOut({ kind, written }: Word, language: Language): Word | undefined {
  if (kind !== 'word' || written === undefined || !SPELLED_OUT_IN.has(language)) return undefined;
  const spelled = written.replace(LETTER_OF_TWO, (letter) => SPELLED_OUT.get(letter) ?? letter);
  return spelled === written ? undefined : { text: fold(spelled), kind };
}

/** Whether the word table holds the word. */
export function isEnglish({ text, kind }: Word): boolean {
  return kind === 'word' && wordTable().rows.has(text);
}

/** Share of all memories in general, 0 to 1, that are expected to hold the word. */
export function commonnessOf(word: Word, language: Language = 'en'): number {
  if (word.kind === 'number') return NUMBER_COMMONNESS;
  if (word.kind === 'gram') return GRAM_COMMONNESS;
  if (word.isName) return NAME_COMMONNESS;
  if (agentWords.has(word.text)) return EVERYWHERE_COMMONNESS;
  if (language !== 'en' && isStopWordOf(language, word.text)) return EVERYWHERE_COMMONNESS;
  const rank = functionWords.has(word.text) ? 0 : wordTable().rows.get(word.text);
  if (rank === undefined) return UNKNOWN_COMMONNESS;
  return 1 - (1 - wordFrequency(rank)) ** TYPICAL_MEMORY_WORDS;
}

/**
 * The trigrams of a word that the English word table does not know: names, inflected words of other
 * languages, compounds and typing errors still meet their relatives by them. Known words have none, which
 * keeps an English memory at about one term per word.
 */
export function trigramsOf(word: Word): string[] {
  if (word.kind !== 'word' || word.text.length < SHORTEST_WITH_TRIGRAMS) return [];
  if (isEnglish(word)) return [];
  const characters = Array.from(withUsualLetters(word.text));
  const count = Math.min(characters.length - 2, MOST_TRIGRAMS_PER_WORD);
  return Array.from(
    { length: Math.max(0, count) },
    (_, i) => TRIGRAM_MARK + characters.slice(i, i + 3).join(''),
  );
}

/** Whether a term is a trigram of a word. */
export function isTrigram(term: string): boolean {
  return term.startsWith(TRIGRAM_MARK);
}

/**
 * English words whose forms no stemmer brings together: base form, then its other forms. Without "lives" and "leaves", which are
 * mostly forms of "live" and "leave".
 */
const FORMS = `
  arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent|bet bets
  bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built
  burn burnt|buy bought|catch caught|choose chose chosen|come came|creep crept|deal dealt|dig dug|draw drew drawn
  dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought
  find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven
  freeze froze frozen|get got gotten|give gave given|go went gone goes|grind ground|grow grew grown|hang hung
  hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|leap leapt|learn learnt
  leave left|lend lent|light lit|lose lost|make made|mean meant|meet met|pay paid|prove proven|ride rode ridden
  ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken
  shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid
  speak spoke spoken|spend spent|spin spun|spread spreads|stand stood|steal stole stolen|stick stuck|sting stung
  strike struck stricken|strive strove striven|swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken
  teach taught|tear tore torn|tell told|think thought|throw threw thrown|understand understood|wake woke woken
  wear wore worn|weave wove woven|weep wept|win won|wind wound|write wrote written
  child children|person people|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese|wife wives
  knife knives|shelf shelves|half halves|loaf loaves|wolf wolves|thief thieves
  mom mum mother mommy mummy|dad father daddy|grandma grandmother granny|grandpa grandfather|kid kids kiddo
  bike bicycle bicycles|photo photos photograph photographs pic pics|tv television|phone telephone|fridge refrigerator
  vacation holiday vacations holidays|movie film movies films|favorite favourite|color colour|app application apps applications
`;

/** Irregular form → its base form. Also brings together a few everyday synonyms and spellings. */
const irregularForms: ReadonlyMap<string, string> = new Map(
  FORMS.split(/[|\n]/).flatMap((line) => {
    const [base = '', ...forms] = line.trim().split(/\s+/);
    return forms.map((form): [string, string] => [form, base]);
  }),
);
