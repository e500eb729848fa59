import { createRequire } from 'node:module';
import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import { keepRecent } from './recent.ts';
import { wordTable } from './word-table.ts';
import { fold, isVietnamese, type Word } from './words.ts';

/** Of a word of few letters the Hindi stemmer leaves one, which many share. */
const hindiStem = (text: string) => {
  const found = hindi(text);
  return found.length < SHORTEST_HINDI ? text : found;
};

/** Endings of Polish nouns, adjectives and verbs, behind at least three letters. */
const POLISH_ENDING =
  /(?<=...)(?:i?ami|i?ach|owie|owi|i?ego|i?emu|[yi]mi|[yi]ch|i?ej|i?em|ów|i?om|[yi]m|[aiy]ł[aoy]?|[aiy]li|[aiye]ć|ają|ują|uje|ię|i[aeouą]|[aeiouyąę])$/u;
const polishStem = (text: string) => text.replace(POLISH_ENDING, '');

/** A language without a stemmer: its words meet by their trigrams, but what only asks in it is told by its stop words. */
const unstemmed = (text: string) => text;

/** Snowball stemmers by ISO 639-1 code of the language; of two that a text may be in, it is taken for the one that comes first. */
const stemmers = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
  pt: portuguese,
  it: italian,
  nl: dutch,
  ru: russian,
  pl: polishStem,
  tr: turkish,
  ar: arabic,
  cs: unstemmed,
  da: danish,
  el: greek,
  fa: unstemmed,
  fi: finnish,
  he: unstemmed,
  hi: hindiStem,
  hu: hungarian,
  id: indonesian,
  no: norwegian,
  ro: romanian,
  sv: swedish,
  uk: ukrainian,
  vi: unstemmed,
} as const;

/** A language that words can be stemmed in: its ISO 639-1 code. */
export type Language = keyof typeof stemmers;

const LANGUAGES = Object.keys(stemmers) as Language[];
/** Shortest stem of a Hindi word, in letters and vowel signs. */
const SHORTEST_HINDI = 3;
/** Words of a text that are looked at: its language shows long before. */
const MOST_WORDS = 200;
/** Letters that are words of some languages and none of English. */
const SHORT_WORD = /^[eouwyz]$/;
/** Less than what a word of all languages votes. */
const ROUNDING = 1e-6;
/** Frequency rank of words that English texts hold now and then. */
const USUAL_RANK = 300;
/** Characters of a stem: some letters become two. */
const LONGEST = 64;

let stopWords: ReadonlyMap<string, readonly Language[]> | undefined;

/** What few languages write: a letter counts like a stop word of its language. */
const LETTERS: readonly (readonly [Language, RegExp])[] = [
  ['tr', /[ıİğ]|ş/u],
  ['pl', /[ąęłśźż]/u],
  ['cs', /[ěřů]/u],
  ['hu', /[őű]/u],
  ['ro', /[șță]/u],
  ['pt', /[ãõ]/u],
  ['es', /ñ/u],
  ['de', /ß/u],
  ['uk', /[іїєґ]/u],
  ['ru', /[ыэъё]/u],
  ['fa', /[پچژگ]/u],
];
/** Of a script without a stop word, the language that most write in it. */
const SCRIPTS: readonly (readonly [Language, RegExp])[] = [
  ['ru', /\p{sc=Cyrl}/u],
  ['ar', /\p{sc=Arab}/u],
  ['he', /\p{sc=Hebr}/u],
  ['hi', /\p{sc=Deva}/u],
  ['el', /\p{sc=Grek}/u],
];

/**
 * The language of a text by its stop words: of each language those that it uses count, a word of several languages the less the
 * more use it. Questions and sentences hold some; of a few key words their letters may tell it.
 *
 * @returns English too where the word table holds every word; undefined where nothing tells
 */
export function languageOf(words: readonly Word[]): Language | undefined {
  const letters = lettersOf(words);
  if (isVietnamese(letters)) return 'vi';
  const found = new Map(
    words
      .slice(0, MOST_WORDS)
      .filter(({ text, kind }) => kind === 'word' && (text.length > 1 || SHORT_WORD.test(text)))
      .map(({ text, written }) => [text, written ?? text]),
  );
  const votes = votesOf(found);
  const ofEnglish = votes.get('en') ?? 0;
  const isForeign = [...votes.values()].some((count) => count > ofEnglish);
  // A foreign name in an English text has foreign letters, too.
  if (!isForeign && ofEnglish > 0) return 'en';
  for (const [language, pattern] of LETTERS) {
    if (pattern.test(letters)) votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  const distinct = new Set(found.keys());
  const best = mostVoted(votes);
  if (best !== 'en' && isSure(best, distinct, ofEnglish > 0)) return best;
  if (ofEnglish > 0) return 'en';
  const english = wordTable().rows;
  if (distinct.size > 0 && [...distinct].every((text) => english.has(text))) return 'en';
  return SCRIPTS.find(([, pattern]) => pattern.test(letters))?.[0];
}

function votesOf(found: ReadonlyMap<string, string>): Map<Language, number> {
  stopWords ??= loadStopWords();
  const votes = new Map<Language, number>();
  for (const [text, written] of found) {
    // "è" is Italian and "é" Portuguese; without an accent both are in many languages.
    const languages = stopWords.get(written) ?? stopWords.get(text) ?? [];
    for (const language of languages) {
      if (language === 'en' && languages.length > 1 && !isUsualInEnglish(text)) continue;
      votes.set(language, (votes.get(language) ?? 0) + 1 / Math.sqrt(languages.length));
    }
  }
  return votes;
}

/** The language with the most votes: English unless another has more. */
function mostVoted(votes: ReadonlyMap<Language, number>): Language {
  let best: Language = 'en';
  let most = votes.get('en') ?? 0;
  for (const language of LANGUAGES) {
    const count = votes.get(language) ?? 0;
    if (count > most + ROUNDING) [best, most] = [language, count];
  }
  return best;
}

/** The letters of the words that a text separates, as written. */
function lettersOf(words: readonly Word[]): string {
  if (words.some(({ kind }) => kind === 'gram')) return '';
  return words
    .slice(0, MOST_WORDS)
    .flatMap(({ kind, text, written }) => (kind === 'word' ? (written ?? text) : []))
    .join(' ');
}

/**
 * The list of English stop words holds letters and endings of domains, such as "co" and "que", that other languages use as words.
 */
function isUsualInEnglish(text: string): boolean {
  return (wordTable().rows.get(text) ?? Number.POSITIVE_INFINITY) < USUAL_RANK;
}

/** One stop word alone may be a name in an English text: "Ada drives a blue tractor." */
function isSure(language: Language, words: ReadonlySet<string>, maybeEnglish: boolean): boolean {
  const all = [...words];
  const telling = all.filter((text) => isUsedBy(language, text));
  if (telling.length > 1) return true;
  return !maybeEnglish && all.some((text) => !telling.includes(text) && !wordTable().rows.has(text));
}

/** Whether words can be stemmed in the language of an ISO 639-1 code. */
export function isStemmed(code: string): code is Language {
  return Object.hasOwn(stemmers, code);
}

/** Whether the word is a stop word of the language, by which no memory is asked for. */
export function isStopWordOf(language: Language, text: string): boolean {
  return isUsedBy(language, text) && !TELLING_WORDS[language]?.has(text);
}

function isUsedBy(language: Language, text: string): boolean {
  stopWords ??= loadStopWords();
  return stopWords.get(text)?.includes(language) ?? false;
}

/** The stem of a folded word, never empty. */
export function stem(text: string, language: Language): string {
  return language === 'en' && text.length <= LONGEST ? englishStem(text) : stemmedBy(language, text);
}

function stemmedBy(language: Language, text: string): string {
  return stemmers[language](text).slice(0, LONGEST) || text;
}

/** Words recur, and in most memories they are English. */
const englishStem = keepRecent(5_000, (text) => stemmedBy('en', text));

/**
 * Words of stopwords-iso by which memories are asked for all the same: "¿Dónde trabaja Lucía?", "In quale città vive Luca?"
 * Folded. They still tell the language of a text.
 */
const TELLING_WORDS: Partial<Record<Language, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    es: `trabaja trabajais trabajamos trabajan trabajar trabajas trabajo empleo emplean emplear empleas uso usa usan usar usas
      usais usamos habla hablan cuenta valor horas tiempo`,
    fr: 'parle parlent parler piece ouvert ouverte ouverts sujet',
    it: 'citta comprare consiglio gruppo titolo paese persone piedi registrazione',
    pt: `trabalho trabalhar viagem sistema grupo noite custa numero nivel ligado desligado apoio conselho horas tempo posicao
      pessoas`,
    de: 'mann mensch menschen ordnung offen',
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
);

/** What only asks, or names who asks, where stopwords-iso lacks it. */
const ASKING_WORDS: Partial<Record<Language, string>> = {
  ar: `ماذا لماذا متى أين كيف كم هل أي أية بأي لأي وأي بماذا عماذا لمن بكم مما ممن عم علام يجب علي`,
  cs: `jaký jaká jaké jakou jakého jakém jakým jakých jací kolik kolika kdy kde kam odkud proč jak kdo koho komu kým čí čem čemu`,
  es: `adónde adonde cuánto cuánta cuántos cuántas cuál cuáles quién quiénes dónde cuándo cómo debo`,
  fa: `چه چی کی کجا چرا چگونه چطور چند کدام آیا`,
  fr: `combien quel quelle quels quelles lequel laquelle pourquoi comment où quand qui quoi dois doit faut`,
  he: `מה מי מתי איפה היכן לאן מאיפה למה מדוע איך כיצד כמה איזה איזו אילו האם`,
  hi: `क्या कौन कौनसा कौनसी कहाँ कहां कब कैसे कैसा कैसी क्यों कितना कितनी कितने कितनों किसका किसकी किसके किसको किसने किन मुझे मुझको मैं
    मेरा मेरी मेरे हम हमें हमने हमारा हमारी हमारे तुम तुम्हें आप आपका आपकी आपके चाहिए सा सी`,
  id: `apa siapa kapan dimana mana kemana kenapa mengapa bagaimana berapa apakah`,
  it: `quanto quanta quanti quante quale quali chi dove quando come perché cosa devo`,
  nl: `hoeveel hoelang waarom waar wanneer welk welke wie wiens hoe wat waardoor waarmee waarvan waarop waarheen waaraan`,
  pl: `jaki jaka jakie jaką jakiego jakiej jakim jakimi jakich jakiemu ile ilu iloma kiedy gdzie dokąd skąd dlaczego czemu jak kto kogo komu
    kim czego czym czyj czyja czyje czyich który która które którego której którą którym których mam`,
  pt: `quanto quanta quantos quantas qual quais quem onde aonde quando como porque porquê devo`,
  ro: `cât câtă câți câte care cine unde când cum ce cui căruia`,
  ru: `какой какая какое какие какого какому каким каком какую каких какими сколько скольким насколько зачем почему отчего когда где куда
    откуда кто кого кому кем ком что чего чему чем чей чья чьё чьи следует`,
  sv: `hur vad vem vilka vilken vilket när var vart varför vems`,
  tr: `ne neyi neye neden nedir nasıl hangi hangisi kaç kaçta kim kimi kime kimde kimden kimin nerede nereye nereden neresi niçin niye`,
  vi: `gì nào ai đâu sao mấy bao nhiêu là của và có được các những một này đó cho với trong khi thì mà không ở ra vào bị bởi từ đã đang
    sẽ cũng như rằng nên vì nếu hay hoặc để do theo tại`,
  uk: `який яка яке які якого якому яким якою яких якими скільки чому навіщо коли де куди звідки хто кого кому ким що чого чим чий чия`,
};

/** Of each stop word, as written and folded, the languages that use it. */
function loadStopWords(): Map<string, Language[]> {
  const lists = createRequire(import.meta.url)('stopwords-iso') as Readonly<
    Record<string, readonly string[]>
  >;
  const found = new Map<string, Language[]>();
  for (const language of LANGUAGES) {
    const asking = ASKING_WORDS[language]?.split(/\s+/) ?? [];
    // That list has syllables by which much is told in Vietnamese: house, year, tree. And without marks they are words of other
    // languages.
    const isWhole = language === 'vi';
    const listed = [...(isWhole ? [] : (lists[language] ?? [])), ...asking].map((word) =>
      word.toLowerCase().normalize('NFC'),
    );
    for (const word of new Set([...listed, ...(isWhole ? [] : listed.map(fold))])) {
      const languages = found.get(word);
      if (languages) languages.push(language);
      else found.set(word, [language]);
    }
  }
  return found;
}
