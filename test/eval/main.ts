import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createEngine, openPglite } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import { createApp, createLogger, startServer } from '@svc-memory/server';
import { SingleBar } from 'cli-progress';
import { ablate, ablationSteps } from './ablation.ts';
import { type Coverage, cover } from './coverage.ts';
import { type Conversation, categoryName, readDataset } from './dataset.ts';
import { type Score, scoreQuestion, summarize } from './score.ts';
import { storeTurns } from './store-turns.ts';

const HELP = `npm run eval -- <dataset.json> [--questions <n>] [--json <file>] [--ablation]

Measures recall: stores each conversation as episodic memories of a tenant of its own, one memory a turn, over REST on
a service with default settings and an empty in-memory database, and asks every question.

  --questions <n>  ask only the first n questions of each conversation
  --json <file>    also write the numbers to a file
  --ablation       instead, show recall@10 (asked with limit 10) with each signal left out: what does it give? Signals that a data
                   set does not have give nothing on it; in LoCoMo all turns are of the same importance

The data set is a JSON list of conversations:
  {"sample_id", "turns": [{"id", "speaker", "text", "caption", "session", "session_date_time"}],
   "questions": [{"question", "evidence": [<turn ids>], "category"}]}
LoCoMo (https://github.com/snap-research/locomo, for evaluation only) has this content under other names.

recall@k       share of a question's evidence among the best k memories, mean over questions
MRR            mean of 1 / rank of the first evidence
nk tokens      share of the evidence within the best n thousand o200k tokens
default call   share of the evidence in what a recall without any options returns (threshold 0.5, limit 10)

Then it reflects (without a model) and measures again, boot too, in its default 4,000 tokens:
answer words   share of an answer's words that the boot injection holds
whole answers  share of the questions of whose answers it holds every word
evidence       share of the evidence of which it quotes a sentence
`;

const MOST_TOKENS = 8_000;

interface Bar {
  increment(): void;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      questions: { type: 'string' },
      json: { type: 'string' },
      ablation: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const [path] = positionals;
  if (values.help || !path) {
    process.stdout.write(HELP);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const most = values.questions === undefined ? Number.POSITIVE_INFINITY : Number(values.questions);
  const conversations = (await readDataset(path)).map((conversation) => ({
    ...conversation,
    questions: conversation.questions.slice(0, most),
  }));
  const asked = conversations.reduce((sum, { questions }) => sum + questions.length, 0);
  const bar = new SingleBar({ format: '{bar} {percentage}% | {value}/{total} | {eta_formatted} left' });
  if (values.ablation) {
    bar.start(ablationSteps(asked), 0);
    const ablation = await ablate(conversations, () => bar.increment());
    bar.stop();
    print(ablation);
    if (values.json) await writeFile(values.json, `${JSON.stringify({ ablation }, null, 2)}\n`);
    return;
  }
  bar.start(2 * asked + conversations.length, 0);
  const scores = await evaluate(conversations, bar);
  bar.stop();
  const summary = summarize(scores.flatMap(({ recall }) => recall));
  print(summary);
  const reflection = compareReflection(scores);
  process.stdout.write('\n');
  print(reflection);
  if (values.json) {
    await writeFile(values.json, `${JSON.stringify({ recall: summary, reflection }, null, 2)}\n`);
  }
}

/** What reflection changed: one line before it, one after. */
function compareReflection(scores: readonly Evaluated[]): Summary {
  return (['before', 'after'] as const).map((when) => {
    const recall = scores.flatMap((score) => (when === 'before' ? score.recall : score.recallAfter));
    const boot = scores.flatMap((score) => score.boot[when]);
    return {
      category: `${when} reflection`,
      questions: recall.length,
      means: {
        'recall@10': mean(recall.map(({ values }) => values['recall@10'] ?? 0)),
        'boot: answer words': mean(boot.map(({ words }) => words)),
        'boot: whole answers': mean(boot.map(({ whole }) => whole)),
        'boot: evidence': mean(boot.map(({ evidence }) => evidence)),
      },
    };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

type Summary = ReturnType<typeof summarize>;

/** One conversation, before and after it was reflected on. */
interface Evaluated {
  readonly recall: Score[];
  readonly recallAfter: Score[];
  readonly boot: { readonly before: Coverage[]; readonly after: Coverage[] };
}

async function evaluate(conversations: readonly Conversation[], bar: Bar): Promise<Evaluated[]> {
  const engine = createEngine({ database: await openPglite() });
  const app = createApp({
    engine,
    logger: createLogger({ level: 'silent' }),
    settings: { rateLimitPerMinute: 0 },
  });
  const server = await startServer({ app, host: '127.0.0.1', port: 0 });
  try {
    const scores: Evaluated[] = [];
    const work = () => engine.background.run('jobs.work');
    for (const conversation of conversations) {
      const tenant = await engine.tenants.create({ displayName: conversation.sample_id, plan: 'local' });
      const key = await engine.apiKeys.create(tenant.id, { name: 'evaluation', scope: 'full' });
      const memory = connect({ url: server.url, apiKey: key.secret });
      scores.push(await evaluateConversation(memory, conversation, work, bar));
    }
    return scores;
  } finally {
    await server.close();
    await engine.close();
  }
}

async function evaluateConversation(
  memory: ReturnType<typeof connect>,
  { turns, questions }: Conversation,
  work: () => Promise<unknown>,
  bar: Bar,
): Promise<Evaluated> {
  const turnOf = await storeTurns(memory, turns);
  bar.increment();
  const texts = new Map(turns.map(({ id, text }) => [id, text]));
  const askAll = async () => {
    const scores: Score[] = [];
    for (const { question, evidence, category } of questions) {
      const present = evidence.filter((turn) => texts.has(turn));
      if (present.length > 0) {
        const ask = async (options: object) =>
          (await memory.recall({ query: question, ...options })).results.map(({ id, content }) => ({
            turn: turnOf.get(id) ?? '',
            content,
          }));
        const ranking = await ask({ threshold: 0, max_tokens: MOST_TOKENS });
        scores.push(scoreQuestion(categoryName(category), present, ranking, await ask({})));
      }
      bar.increment();
    }
    return scores;
  };
  const coverage = async () => {
    const { injection } = await memory.boot({ preview: true });
    return questions.flatMap(({ answer = '', evidence }) => {
      const said = evidence.flatMap((turn) => texts.get(turn) ?? []);
      return said.length === 0 ? [] : [cover(injection, String(answer), said)];
    });
  };
  const before = { recall: await askAll(), boot: await coverage() };
  await memory.reflect();
  await work();
  const after = { recall: await askAll(), boot: await coverage() };
  return {
    recall: before.recall,
    recallAfter: after.recall,
    boot: { before: before.boot, after: after.boot },
  };
}

function print(summary: Summary): void {
  const names = Object.keys(summary[0]?.means ?? {});
  const header = ['category', 'questions', ...names];
  const lines = summary.map(({ category, questions, means }) => [
    category,
    String(questions),
    ...names.map((name) => (means[name] ?? 0).toFixed(name === 'default results' ? 1 : 3)),
  ]);
  const widths = header.map((name, column) =>
    Math.max(name.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of [header, ...lines]) {
    process.stdout.write(`${line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')}\n`);
  }
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
