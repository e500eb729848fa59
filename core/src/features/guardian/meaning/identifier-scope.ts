import { IDENTIFIER_NOUNS } from './words.ts';

/** Whether a line speaks of something that machines compare letter by letter. */
export function namesIdentifier(line: string): boolean {
  return (line.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => IDENTIFIER_NOUNS.has(word));
}

/**
 * Follows, while a text is read, whether what comes may be the name of something that machines compare letter by letter: behind such
 * a noun until the sentence ends ("the password is always hunter"), and in the list below one ("Files:").
 */
export class IdentifierScope {
  #inSentence = false;
  #inLabel = false;

  get isOpen(): boolean {
    return this.#inSentence;
  }

  addWord(word: string): void {
    this.#inSentence ||= IDENTIFIER_NOUNS.has(word.toLowerCase());
  }

  endSentence(): void {
    this.#inSentence = false;
  }

  /** A colon, or the end of a heading: what was read may stand above a list. */
  endLabel(): void {
    this.#inLabel = this.#inSentence;
  }

  beginItem(): void {
    this.#inSentence = this.#inLabel;
  }

  /** A heading, or a paragraph that no colon announces: no list goes on behind it. */
  beginBlock(): void {
    this.#inSentence = false;
    this.#inLabel = false;
  }
}
