/** English function words that, written with a capital letter, may be the name of somebody or of a month. */
const NAMES: ReadonlySet<string> = new Set(['Will', 'May', 'Can', 'Don']);
/** English function and question words that, in capitals, are mostly the United States, a department or an organisation. */
const INITIALISMS: ReadonlySet<string> = new Set(['US', 'IT', 'WHO']);
/** Longest of them: nearly all words of a text are told from them by their length alone. */
const LONGEST_NAME = 4;

/** What stands behind a verb that begins a sentence: "Will you", "May the", "Don't". */
const BEHIND_A_VERB =
  /^(?:['’]t\b|\s+(?:i|you|he|she|it|we|they|this|that|these|those|there|the|an?|my|your|his|her|our|their|not|(?:some|any|every)(?:one|body|thing))\b)/i;
const SENTENCE_START = /(?:^|[.!?:\n]["'”’)]*\s*|^\s*["'“‘(¿¡-]*\s*)$/;
/** Characters beside a word that are looked at. */
const BESIDE = 40;
/** The same for the end of its sentence. */
const LONGEST_SENTENCE = 200;

/**
 * Whether a word as written is a name, though its letters are those of a word that is in every text: "Will lives in Oslo", "the
 * lease ends in May", "the US office". By lower-cased words, nobody would find what is told of them.
 *
 * @param at place of the word in the text
 */
export function isWrittenName(text: string, at: number, word: string): boolean {
  if (word.length > LONGEST_NAME) return false;
  if (INITIALISMS.has(word)) {
    // Not where all is in capitals.
    return /\p{Ll}/u.test(text.slice(Math.max(0, at - BESIDE), at + BESIDE));
  }
  if (!NAMES.has(word)) return false;
  const end = at + word.length;
  if (BEHIND_A_VERB.test(text.slice(end, end + BESIDE))) return false;
  if (!SENTENCE_START.test(text.slice(Math.max(0, at - BESIDE), at))) return true;
  const sentenceEnd = /[.!?\n]/.exec(text.slice(end, end + LONGEST_SENTENCE))?.[0];
  return sentenceEnd !== '?';
}
