/** Up to this many characters a query is a query; beyond, it may be a whole message around one. */
const SHORT_QUERY = 160;
/** A question of fewer characters ("Right?") asks nothing by itself. */
const SHORTEST_QUESTION = 20;

const SENTENCE = /[^.!?。！？\n]+[.!?。！？\n]*/g;
const QUESTION_END = /[?？]\s*$/;

/**
 * The part of a query that says what is asked: of a long message its questions, else all of it.
 * @param query any text
 */
export function focusOf(query: string): string {
  if (query.length <= SHORT_QUERY) return query;
  const questions = [...query.matchAll(SENTENCE)]
    .map(([sentence]) => sentence.trim())
    .filter((sentence) => QUESTION_END.test(sentence));
  const asked = questions.join(' ');
  return asked.length >= SHORTEST_QUESTION ? asked : query;
}
