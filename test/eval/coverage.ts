/** Words that answer nothing by themselves. */
const EMPTY = new Set(
  'a an the and or of to in on at by for with from as is are was were be been it its he she they his her their them this that some'.split(
    ' ',
  ),
);
/** Characters of a sentence that tells something. */
const LEAST_SENTENCE = 20;

/** How much of what was asked an injection holds; shares, 0..1. */
export interface Coverage {
  /** Share of the answer's words that the injection holds. */
  readonly words: number;
  /** 1 where it holds all of them. */
  readonly whole: number;
  /** Share of the evidence of which it quotes at least one sentence. */
  readonly evidence: number;
}

/** Measures what an injection knows of one question's answer and of the turns it stands in. */
export function cover(injection: string, answer: string, evidence: readonly string[]): Coverage {
  const held = new Set(wordsOf(injection));
  const asked = [...new Set(wordsOf(answer))];
  const known = asked.filter((word) => held.has(word)).length;
  const text = plain(injection);
  const quoted = evidence.filter((turn) => sentencesOf(turn).some((sentence) => text.includes(sentence)));
  return {
    words: asked.length === 0 ? 0 : known / asked.length,
    whole: asked.length > 0 && known === asked.length ? 1 : 0,
    evidence: evidence.length === 0 ? 0 : quoted.length / evidence.length,
  };
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !EMPTY.has(word))
    .map((word) => word.replace(/(?<=\p{L}{3})(ing|ed|es|s)$/u, ''));
}

function sentencesOf(turn: string): string[] {
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(turn)];
  return sentences.map(({ segment }) => plain(segment)).filter(({ length }) => length >= LEAST_SENTENCE);
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
