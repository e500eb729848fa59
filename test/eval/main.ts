import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Engine } from '@svc-memory/core';
import { SingleBar } from 'cli-progress';
import { nameOf, readOptions, someFiles, wholeNumber } from '../kit/options.ts';
import { ablate, ablationSteps } from './ablation.ts';
import { bm25 } from './bm25.ts';
import { evaluateBoot } from './boot.ts';
import { type Conversation, readDataset } from './dataset.ts';
import { evaluateFacts } from './facts.ts';
import { openEngine } from './open-engine.ts';
import { evaluateProfiles } from './profiles.ts';
import { compareReflection } from './reflection.ts';
import { type Row, rowOf, type Score, scoreQuestion, tableOf } from './score.ts';
import { storeTurns } from './store-turns.ts';
import {
  asConversations,
  factsInLongMemories,
  identifiers,
  withLongReplies,
  withoutEvidence,
  withTypingErrors,
} from './variants.ts';

const HELP = `npm run eval -- <data.json>... [options]

Measures recall, offline and with default settings: stores the memories of each data set as a tenant of its own, asks every
question, and prints a line for each data set beside two plain BM25 baselines. SVC_EMBEDDER and SVC_RERANKER, with the settings
beside them, name other models, as for the service.

  --variants       also what is made of the first data set of chats: an agent's long replies, typing errors, facts inside
                   memories of 2, 8, 20 and 32 kB, identifiers
  --mistyped       also each question with two typing errors
  --unanswerable   also every third question, asked of memories without those that answer it
  --half <h>       even or odd: only every other question; choose values on one half and report the other
  --aside <a>      only or without: only the questions that were put aside, or all others
  --questions <n>  only the first n questions of each conversation
  --categories     a line for each category of questions too
  --ablation       instead, recall@10 with each signal left out: what does it give?
  --reflection     instead, what recall and boot hold before and after a reflection without a model
  --boot           instead, what boots hold; npm run eval -- --boot --help tells more
  --facts          instead, whether newer facts replace older ones; npm run eval -- --facts --help tells more
  --profiles       instead, what is recalled of people whose facts change; npm run eval -- --profiles --help tells more
  --json <file>    also write the numbers to a file

A data set is JSON, in one of three formats:
  chats   [{"sample_id", "turns": [{"id", "speaker", "text", "caption", "session", "session_date_time"}],
           "questions": [{"question", "evidence": [<turn ids>], "category", "aside"}]}]
          LoCoMo (https://github.com/snap-research/locomo, for evaluation only) has this content under other names.
  stores  [{"id", "memories": [{"id", "content", "session_id", "occurred_at"}],
           "questions": [{"q", "evidence": [<memory ids>], "category", "unanswerable", "conversation", "aside"}]}]
          Where questions have a conversation, the talk so far, it is asked too, in a line of its own.
  SQuAD   {"data": [{"paragraphs": [{"context", "qas": [{"question", "answers": [{"answer_start"}]}]}]}]}
          Each sentence is a memory.

recall@k       share of a question's evidence among the best k memories, mean over questions
MRR            mean of 1 / rank of the first evidence
BM25@10        recall@10 of plain BM25 (k1 1.2, b 0.75), of unspaced scripts in pairs of characters
stemmed@10     the same with English stems and without stop words (k1 0.9, b 0.4)
default        of a recall without any options: share of the evidence, precision where it finds anything, share of the
               questions for which it finds nothing, results, and share of unanswerable questions that it answers
`;

interface DataSet {
  readonly name: string;
  readonly conversations: readonly Conversation[];
}

const MOST = 25;
const LONG_MEMORIES = [2_000, 8_000, 20_000, 32_000];

async function main(): Promise<void> {
  if (process.argv.includes('--boot')) return evaluateBoot();
  if (process.argv.includes('--facts')) return evaluateFacts();
  if (process.argv.includes('--profiles')) return evaluateProfiles();
  const { values, files, half, aside, most } = readOptions(
    {
      command: 'eval',
      help: HELP,
      options: {
        variants: { type: 'boolean' },
        mistyped: { type: 'boolean' },
        unanswerable: { type: 'boolean' },
        half: { type: 'string' },
        aside: { type: 'string' },
        questions: { type: 'string' },
        categories: { type: 'boolean' },
        ablation: { type: 'boolean' },
        reflection: { type: 'boolean' },
        json: { type: 'string' },
      },
      takesFiles: true,
    },
    (values, files) => ({
      values,
      files: someFiles(files),
      half: values.half === undefined ? undefined : nameOf('half', values.half, ['even', 'odd']),
      aside: values.aside === undefined ? undefined : nameOf('aside', values.aside, ['only', 'without']),
      most: values.questions === undefined ? Infinity : wholeNumber('questions', values.questions),
    }),
  );
  const read = await Promise.all(
    files.map(async (path) => ({
      name: basename(path, '.json'),
      conversations: part(await readDataset(path), aside),
    })),
  );
  const asGiven = read.flatMap(withTalks);
  const sets = [
    ...asGiven,
    ...(values.variants ? variantsOf(read) : []),
    ...(values.mistyped ? read.map(mistyped) : []),
    ...(values.unanswerable ? asGiven.map(unanswerable) : []),
  ].map((set) => restricted(set, half, most));
  const asked = questionsIn(sets);
  const bar = new SingleBar({ format: '{bar} {percentage}% | {value}/{total} | {eta_formatted} left' });
  const steps = values.ablation ? ablationSteps(asked) : values.reflection ? 2 * asked : asked;
  bar.start(steps, 0);
  const rows: Row[] = [];
  for (const { name, conversations } of sets) {
    const onStep = () => bar.increment();
    const measured = values.ablation
      ? await ablate(conversations, onStep)
      : values.reflection
        ? await compareReflection(conversations, onStep)
        : await evaluate(name, conversations, { onStep, byCategory: values.categories ?? false });
    const prefix = values.ablation || values.reflection ? `${name}: ` : '';
    rows.push(...measured.map((row) => ({ ...row, name: `${prefix}${row.name}` })));
  }
  bar.stop();
  process.stdout.write(`${tableOf(rows)}\n`);
  if (values.json) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`);
}

/** The conversations with the questions that were put aside, or with all others. */
function part(conversations: readonly Conversation[], aside: string | undefined): readonly Conversation[] {
  if (aside === undefined) return conversations;
  return conversations.map((one) => ({
    ...one,
    questions: one.questions.filter((question) => (question.aside ?? false) === (aside === 'only')),
  }));
}

function withTalks({ name, conversations }: DataSet): DataSet[] {
  const talks = asConversations(conversations);
  const hasTalks = talks.some(({ questions }) => questions.length > 0);
  return [
    { name, conversations },
    ...(hasTalks ? [{ name: `${name}, the talk`, conversations: talks }] : []),
  ];
}

function mistyped({ name, conversations }: DataSet): DataSet {
  return { name: `${name}, two typing errors`, conversations: withTypingErrors(conversations) };
}

function unanswerable({ name, conversations }: DataSet): DataSet {
  return { name: `${name}, unanswerable`, conversations: withoutEvidence(conversations) };
}

function variantsOf(sets: readonly DataSet[]): DataSet[] {
  const chats = sets.find(({ conversations }) => conversations.length > 1);
  if (!chats) throw new Error('--variants needs a data set of several chats.');
  const { name, conversations } = chats;
  return [
    { name: `${name}, long replies`, conversations: withLongReplies(conversations) },
    mistyped(chats),
    ...LONG_MEMORIES.map((characters) => ({
      name: `a fact inside ${characters / 1000} kB`,
      conversations: factsInLongMemories(conversations, characters),
    })),
    { name: 'identifiers', conversations: identifiers(conversations) },
  ];
}

function restricted({ name, conversations }: DataSet, half: string | undefined, most: number): DataSet {
  return {
    name,
    conversations: conversations.map((one) => ({
      ...one,
      questions: one.questions
        .slice(0, most)
        .filter((_, place) => half === undefined || place % 2 === (half === 'odd' ? 1 : 0)),
    })),
  };
}

function questionsIn(sets: readonly DataSet[]): number {
  return sets
    .flatMap(({ conversations }) => conversations)
    .reduce((sum, { questions }) => sum + questions.length, 0);
}

interface EvaluateOptions {
  readonly onStep: () => void;
  readonly byCategory: boolean;
}

async function evaluate(
  name: string,
  conversations: readonly Conversation[],
  { onStep, byCategory }: EvaluateOptions,
): Promise<Row[]> {
  const engine = await openEngine();
  const scores: { category: string; score: Score }[] = [];
  try {
    for (const conversation of conversations) scores.push(...(await ask(engine, conversation, onStep)));
  } finally {
    await engine.close();
  }
  const rowFor = (title: string, some: typeof scores) =>
    rowOf(
      title,
      some.map(({ score }) => score),
    );
  const categories = byCategory ? [...new Set(scores.map(({ category }) => category))].sort() : [];
  return [
    rowFor(name, scores),
    ...categories.map((one) =>
      rowFor(
        `  ${one}`,
        scores.filter(({ category }) => category === one),
      ),
    ),
  ];
}

async function ask(
  engine: Engine,
  { sample_id, turns, questions }: Conversation,
  onStep: () => void,
): Promise<{ category: string; score: Score }[]> {
  const { id } = await engine.tenants.create({ displayName: sample_id, plan: 'local' });
  const memory = engine.agent(id);
  const turnOf = await storeTurns(memory, turns);
  const contents = turns.map((turn) => turn.memory.content);
  const baselines = { plain: bm25(contents, 'plain'), stemmed: bm25(contents, 'stemmed') };
  const byBaseline = (baseline: keyof typeof baselines, query: string) =>
    baselines[baseline].best(query, MOST).map((place) => turns[place]?.id ?? '');
  const scores: { category: string; score: Score }[] = [];
  for (const item of questions) {
    onStep();
    if (item.evidence.length === 0 && !item.unanswerable) continue;
    const recall = async (options: object) =>
      (await memory.recall({ query: item.question, ...options })).results.map(
        (result) => turnOf.get(result.id) ?? '',
      );
    const score = scoreQuestion(item, {
      ranking: await recall({ threshold: 0, limit: MOST }),
      byDefault: await recall({}),
      plain: byBaseline('plain', item.question),
      stemmed: byBaseline('stemmed', item.question),
    });
    scores.push({ category: item.category, score });
  }
  return scores;
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
