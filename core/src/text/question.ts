import { CJK } from './words.ts';

/** A question mark; in Greek it is written like a semicolon. */
const MARK = String.raw`(?:[?？؟]|(?<=\p{sc=Grek}['"”’»)]?)[;\u037e])`;
const QUESTION_MARK = new RegExp(MARK, 'u');
const QUESTION_END = new RegExp(String.raw`${MARK}["'”’»)\s]*$`, 'u');

export function hasQuestion(text: string): boolean {
  return QUESTION_MARK.test(text);
}

export function endsAsking(text: string): boolean {
  // As most texts end, and found out many times faster.
  return !text.endsWith('.') && QUESTION_END.test(text);
}

/** Up to this many characters a query is a query; beyond, it may be a whole message around one. */
const SHORT_QUERY = 160;
/** A question of fewer characters ("Right?") asks nothing by itself. */
const SHORTEST_QUESTION = 20;
/** The same in Chinese, Japanese and Korean, of which a character says more. */
const SHORTEST_CJK = 8;

const SENTENCE = /[^.!?。！？؟\n]+[.!?。！？؟\n]*/g;

/**
 * The part of a query that says what is asked: of a long message its questions, else all of it.
 * @param query any text
 */
export function focusOf(query: string): string {
  if (query.length <= SHORT_QUERY) return query;
  const questions = [...query.matchAll(SENTENCE)].map(([sentence]) => sentence.trim()).filter(endsAsking);
  const asked = questions.join(' ');
  return isTelling(asked) ? asked : query;
}

/**
 * Whether a text is a message around one question, with which it begins or ends but for a few words such as "Hi!" and
 * "Thanks.". Behind a question in its midst comes the answer to it: then the text is a talk.
 */
export function asksOneQuestion(text: string): boolean {
  const sentences = text.match(SENTENCE) ?? [];
  const telling = sentences.filter((said) => endsAsking(said) || isTelling(said.trim()));
  const [asking, ...others] = telling.flatMap((said, place) => (endsAsking(said) ? place : []));
  return others.length === 0 && (asking === 0 || asking === telling.length - 1);
}

function isTelling(said: string): boolean {
  return said.length >= (CJK.test(said) ? SHORTEST_CJK : SHORTEST_QUESTION);
}
