import { type Calibration, type Embedder, measureCalibration } from '@svc-memory/core';
import { SingleBar } from 'cli-progress';
import type { RankInput } from '../../core/src/features/recall/ranking/input.ts';
import { scoreCandidates } from '../../core/src/features/recall/ranking/score-candidates.ts';
import { besideCrowd } from '../../core/src/features/recall/ranking/semantic.ts';
import { EVEN, similarityScale } from '../../core/src/features/recall/ranking/similarity.ts';
import { analyzeDocument } from '../../core/src/text/analyze-document.ts';
import { analyzeQuery } from '../../core/src/text/analyze-query.ts';
import { loadConfig } from '../../server/src/config/config.ts';
import { embeddingOf } from '../../server/src/config/models.ts';
import { readOptions, UsageError, wholeNumber } from '../kit/options.ts';
import { type Conversation, readDataset } from './dataset.ts';

const HELP = `npm run calibrate -- <embedder> <dataset.json> [--questions <n>]

Measures how the cosines of an embedder are to be read, on a data set as \`npm run eval\` takes it, and prints the three
numbers for SVC_EMBEDDER_CALIBRATION. The embedder is named as in SVC_EMBEDDER; SVC_EMBEDDER_URL and
SVC_EMBEDDER_API_KEY count as they do for the service.

  --questions <n>  ask only the first n questions of each conversation; default 50

unrelated   cosine that counts as no evidence, of some that most memories which do not answer a question stay under
related     cosine that counts as full evidence, of some that memories which answer it reach
trust       what full evidence by cosine counts beside words

Chosen are those that do best by two measures together: the share of the evidence among the best 10 (recall@10), and
what is over the default threshold of 0.5, weighed by its recall and precision (F1).
`;

const BATCH = 200;
const BEST = 10;
const TRUSTS = [0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1] as const;
const UNRELATED_SHARES = [0.5, 0.75, 0.9, 0.97] as const;
const RELATED_SHARES = [0.6, 0.8, 0.95] as const;
const SHOWN = 5;
const THRESHOLD = 0.5;

/** One question: every memory of its conversation, with its cosine, and which of them answer it. */
interface Asked {
  readonly query: ReturnType<typeof analyzeQuery>;
  readonly corpus: Parameters<typeof scoreCandidates>[1];
  readonly candidates: readonly RankInput[];
  readonly evidence: ReadonlySet<string>;
}

async function main(): Promise<void> {
  const { name, path, most } = readOptions(
    {
      command: 'calibrate',
      help: HELP,
      options: { questions: { type: 'string', default: '50' } },
      takesFiles: true,
    },
    ({ questions }, [name, path]) => {
      if (!name || !path) throw new UsageError('it takes an embedder and a file');
      return { name, path, most: wholeNumber('questions', questions) };
    },
  );
  const { embedder } = embeddingOf(loadConfig({ ...process.env, SVC_EMBEDDER: name }));
  const conversations = await readDataset(path);
  const bar = new SingleBar({ format: 'Embedding {bar} {percentage}% | {eta_formatted} left' });
  bar.start(conversations.length, 0);
  const asked: Asked[] = [];
  for (const conversation of conversations) {
    asked.push(...(await ask(embedder, conversation, most)));
    bar.increment();
  }
  bar.stop();
  if (asked.length === 0) throw new Error(`${path} has no question with evidence.`);
  const cosines = (answers: boolean) =>
    asked.flatMap(({ candidates, evidence }) =>
      candidates.filter(({ id }) => evidence.has(id) === answers).map(({ cosine }) => cosine ?? 0),
    );
  const [answers, others] = [cosines(true), cosines(false)];
  print(`${asked.length} questions about ${conversations.length} conversations, ${embedder.model}`);
  const trials = UNRELATED_SHARES.map((share) => quantile(others, share))
    .flatMap((unrelated) => RELATED_SHARES.map((share) => ({ unrelated, related: quantile(answers, share) })))
    .filter(({ unrelated, related }) => related > unrelated)
    .flatMap((range) => TRUSTS.map((trust) => ({ ...range, trust })))
    .map((calibration) => ({ calibration, ...score(asked, calibration) }))
    .sort((one, other) => other.worth - one.worth);
  const [best] = trials;
  if (!best) throw new Error('Its cosines tell answers and other memories not apart.');
  print(`unrelated,related,trust   recall@${BEST}   over ${THRESHOLD}: recall   precision`);
  for (const { calibration, found, recall, precision } of trials.slice(0, SHOWN)) {
    print(
      `${show(calibration).padEnd(23)}   ${[found, recall, precision].map((n) => n.toFixed(3)).join('       ')}`,
    );
  }
  const guess = embedder.calibration ?? (await measureCalibration(embedder.embed));
  print(
    `\nIn force without this: ${show(guess)} (${embedder.calibration ? 'its own' : 'measured at first use'})`,
  );
  print(`Measured here:         SVC_EMBEDDER_CALIBRATION=${show(best.calibration)}`);
}

async function ask(embedder: Embedder, { turns, questions }: Conversation, most: number): Promise<Asked[]> {
  const memories = turns.map(({ id, memory }) => ({ id, ...memory }));
  const vectors: Float32Array[] = [];
  for (let start = 0; start < memories.length; start += BATCH) {
    const contents = memories.slice(start, start + BATCH).map(({ content }) => content);
    vectors.push(...(await embedder.embed(contents, undefined, 'memory')));
  }
  const documents = memories.map(({ content }) => analyzeDocument(content));
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const known = new Set(memories.map(({ id }) => id));
  const now = new Date(memories.at(-1)?.occurred_at ?? 0);
  const asked: Asked[] = [];
  for (const { question, evidence } of questions.slice(0, most)) {
    const present = new Set(evidence.filter((id) => known.has(id)));
    if (present.size === 0) continue;
    const query = analyzeQuery(question, now);
    const [vector] = await embedder.embed([query.focus], undefined, 'query');
    const holding = ({ term }: { term: string }) => documents.filter(({ terms }) => terms.has(term)).length;
    asked.push({
      query,
      evidence: present,
      corpus: {
        documents: documents.length,
        averageLength,
        documentFrequency: new Map(query.terms.map((term) => [term.term, holding(term)])),
      },
      candidates: documents.map(({ terms, length }, n) => ({
        id: memories[n]?.id ?? '',
        cosine: cosine(vector, vectors[n]),
        matched: query.terms.flatMap(({ term }) => {
          const frequency = terms.get(term);
          return frequency === undefined ? [] : [{ term, frequency }];
        }),
        length,
        importance: 0.5,
        time: Date.parse(memories[n]?.occurred_at ?? '') || 0,
      })),
    });
  }
  return asked;
}

/** Evidence found among the best, and by the default threshold; precision counts the questions that found anything. */
function score(asked: readonly Asked[], calibration: Calibration) {
  const found: number[] = [];
  const recalls: number[] = [];
  const precisions: number[] = [];
  for (const { query, corpus, candidates, evidence } of asked) {
    const ranked = scoreCandidates(query, corpus, candidates, besideCrowd(calibration, [candidates]));
    const hits = (list: typeof ranked) => list.filter(({ id }) => evidence.has(id)).length;
    const similarityOf = similarityScale({ loudest: ranked[0]?.evidence ?? 0, even: EVEN });
    const likely = ranked.filter(({ evidence }) => similarityOf(evidence) >= THRESHOLD).slice(0, BEST);
    found.push(hits(ranked.slice(0, BEST)) / evidence.size);
    recalls.push(hits(likely) / evidence.size);
    if (likely.length > 0) precisions.push(hits(likely) / likely.length);
  }
  const [recall, precision] = [mean(recalls), mean(precisions)];
  const f1 = (2 * recall * precision) / Math.max(1e-9, recall + precision);
  return { found: mean(found), recall, precision, worth: mean(found) + f1 };
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, k) => sum + value * (b?.[k] ?? 0), 0) ?? 0;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function show({ unrelated, related, trust }: Calibration): string {
  return `${unrelated.toFixed(3)},${related.toFixed(3)},${trust}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
