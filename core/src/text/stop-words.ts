import { isStopWordOf, type Language } from './language.ts';
import type { Word } from './words.ts';

/** Words so frequent that a document is indexed without them, unless it has no others. */
export const functionWords = wordSet(`
  a an the and or but if of at by for with about to from in on off out up as into than then so that this these
  those is am are was were be been being do does did has have had having will would can could should may
  i me my we us our you your he him his she her it its they them their not no
  don didn doesn isn wasn aren weren won wouldn couldn shouldn haven hasn hadn ain
`);

/** Words that only make a text a question or a request; a query is looked up without them, unless it has no others. */
const questionWords = wordSet(`
  what when where who whom whose which why how there here any some all ever many much kind type kinds types
  tell say said know remember recall please show find give let get got go went going make made
  thing things something anything someone anyone just also very really
`);

/** Words that memories of agents and transcripts hold everywhere, whatever English in general does. */
export const agentWords = wordSet('user agent assistant human');

/** Hiragana mostly spells endings and particles; these Han characters are the most frequent function words. */
const grammaticalGram = /^\p{sc=Hiragana}+$|[的了是我你您他她它們们这這那什么麼吗嗎呢吧在有不和也都就]/u;

/** Whether a query is looked up without the word unless it has no others. */
export function isStopWord({ text, kind }: Word, language: Language | undefined): boolean {
  if (kind === 'gram') return false;
  if (language !== undefined && language !== 'en' && isStopWordOf(language, text)) return true;
  return questionWords.has(text) || functionWords.has(text);
}

/** Whether one or two characters of a script without spaces are mostly grammar. */
export function isGrammatical({ text, kind }: Word): boolean {
  return kind === 'gram' && grammaticalGram.test(text);
}

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter(Boolean));
}
