/** A question mark; in Greek it is written like a semicolon. */
const MARK = String.raw`(?:[?？؟]|(?<=\p{sc=Grek}['"”’»)]?)[;\u037e])`;
const QUESTION_MARK = new RegExp(MARK, 'u');
const QUESTION_END = new RegExp(String.raw`${MARK}["'”’»)\s]*$`, 'u');

/** Whether a text has a question mark. */
export function hasQuestion(text: string): boolean {
  return QUESTION_MARK.test(text);
}

/** Whether a text ends with a question. */
export function endsAsking(text: string): boolean {
  return QUESTION_END.test(text);
}
