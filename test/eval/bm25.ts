import { stem } from '../../core/src/text/language.ts';

/** Plain BM25 as any library has it, to compare recall with; nothing in it knows of sessions, time or meaning. */
export interface Bm25 {
  /** Places of the best documents in the list, best first. */
  best(query: string, most: number): number[];
}

const VARIANTS = { plain: { k1: 1.2, b: 0.75 }, stemmed: { k1: 0.9, b: 0.4 } };
const STOP_WORDS = new Set(
  `a an the and or but if of at by for with about to from in on off out up as into than then so that this these those is am
  are was were be been being do does did has have had having will would can could should may i me my we us our you your he
  him his she her it its they them their not no what when where who whom whose which why how`.split(/\s+/),
);
const WORDS = /[\p{L}\p{N}\p{M}_]+/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー々]+/gu;

/** @param variant `plain`: words as they are; `stemmed`: English stems without stop words. Both take unspaced scripts in pairs. */
export function bm25(documents: readonly string[], variant: keyof typeof VARIANTS): Bm25 {
  const { k1, b } = VARIANTS[variant];
  const postings = new Map<string, Map<number, number>>();
  const lengths = documents.map((document, place) => {
    const tokens = tokensOf(document, variant === 'stemmed');
    for (const token of tokens) {
      const holding = postings.get(token) ?? new Map<number, number>();
      postings.set(token, holding.set(place, (holding.get(place) ?? 0) + 1));
    }
    return tokens.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  return {
    best: (query, most) => {
      const scores = new Map<number, number>();
      for (const token of tokensOf(query, variant === 'stemmed')) {
        const holding = postings.get(token) ?? new Map<number, number>();
        const idf = Math.log(1 + (documents.length - holding.size + 0.5) / (holding.size + 0.5));
        for (const [place, frequency] of holding) {
          const norm = k1 * (1 - b + (b * (lengths[place] ?? 0)) / average);
          scores.set(place, (scores.get(place) ?? 0) + (idf * frequency * (k1 + 1)) / (frequency + norm));
        }
      }
      const ranked = [...scores].sort(([placeA, a], [placeB, b]) => b - a || placeA - placeB);
      return ranked.slice(0, most).map(([place]) => place);
    },
  };
}

function tokensOf(text: string, stemmed: boolean): string[] {
  return [...text.toLowerCase().normalize('NFKC').matchAll(WORDS)].flatMap(([run]) => [
    ...[...run.matchAll(UNSPACED)].flatMap(([part]) => pairsOf(part)),
    ...run
      .replace(UNSPACED, ' ')
      .split(' ')
      .filter((word) => word !== '' && !(stemmed && STOP_WORDS.has(word)))
      .map((word) => (stemmed ? stem(word, 'en') : word)),
  ]);
}

function pairsOf(part: string): string[] {
  const characters = [...part];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, place) => `${characters[place]}${character}`);
}
