/**
 * How often English text uses the word of a given frequency rank, by Zipf's law with Mandelbrot's shift
 * (the share of the most frequent word, "the", comes out as in running text, about 5 %).
 * @param rank 0 for the most frequent word
 * @returns share of all words of a text, 0 to 1
 */
export function wordFrequency(rank: number): number {
  return 0.08 / (rank + 1.7);
}
