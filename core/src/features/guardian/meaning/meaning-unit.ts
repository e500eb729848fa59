/** One piece of a text in the order of reading: what two texts are compared by. */
export interface MeaningUnit {
  /**
   * `word`: letters only, compared with some tolerance; `exact`: numbers, addresses, code and other scripts, compared
   * letter by letter; `mark`: punctuation; `layout`: what a line is (heading, list item, quote, end of paragraph).
   */
  readonly kind: 'word' | 'exact' | 'mark' | 'layout';
  readonly text: string;
  /** True where a sentence may begin, so that a capital letter says nothing. */
  readonly startsSentence: boolean;
  /** In a heading, where words may have capitals. */
  readonly inHeading: boolean;
}

export function isWord(unit: MeaningUnit | undefined): unit is MeaningUnit {
  return unit?.kind === 'word';
}

export function isMark(unit: MeaningUnit | undefined, marks: string): boolean {
  return unit?.kind === 'mark' && marks.includes(unit.text);
}

/** Whether a text, a line, a paragraph or an item ends before a unit. */
export function isEnd(unit: MeaningUnit | undefined): boolean {
  return unit === undefined || (unit.kind === 'layout' && !unit.text.startsWith('gap'));
}

/** What a unit says in small letters; nothing where there is none. */
export function lower(unit: MeaningUnit | undefined): string {
  return unit?.text.toLowerCase() ?? '';
}
