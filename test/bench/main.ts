import { namesOf, postgresServer, readOptions, wholeNumber } from '../kit/options.ts';
import type { Bench, Benchmark } from './benchmark.ts';
import { adapters } from './benchmarks/adapters.ts';
import { aiSdk } from './benchmarks/ai-sdk.ts';
import { boot } from './benchmarks/boot.ts';
import { compute } from './benchmarks/compute.ts';
import { dashboard } from './benchmarks/dashboard.ts';
import { hooks } from './benchmarks/hooks.ts';
import { langchain } from './benchmarks/langchain.ts';
import { mcp } from './benchmarks/mcp.ts';
import { pages } from './benchmarks/pages.ts';
import { recall } from './benchmarks/recall.ts';
import { reflection } from './benchmarks/reflection.ts';
import { stalls } from './benchmarks/stalls.ts';
import { start } from './benchmarks/start.ts';
import { SLOW_DISK, sync } from './benchmarks/sync.ts';
import { transfer } from './benchmarks/transfer.ts';
import { write } from './benchmarks/write.ts';
import { cleanUp, cleanUpWhenCutOff } from './clean-up.ts';
import { createProgress, type Figure, meetsGoal, reportOf, save, toSvg, toTable } from './report.ts';
import { makeWorld, type World } from './world.ts';

const BENCHMARKS: readonly Benchmark[] = [
  compute,
  recall,
  write,
  boot,
  start,
  sync,
  hooks,
  mcp,
  aiSdk,
  langchain,
  adapters,
  dashboard,
  pages,
  transfer,
  reflection,
  stalls,
];
const MEMORIES = 10_000;
const HURRY = 3;

const HELP = `Measures the service; build it first (npm run build). A table goes to stdout, progress to stderr.

  npm run bench -- [options]

  --quick            fewer rounds, and less of what others show: a look rather than a statement
  --only NAME        only this benchmark; may be repeated
  --memories N       memories in the store (default ${MEMORIES})
  --postgres         on the Postgres server at SVC_TEST_DATABASE_URL, in place of the embedded database
  --slow-disk        a sync of the log takes 4 ms longer, as on a disk that many share: for the service and for floors
  --json FILE        writes the numbers as JSON; - writes them to stdout in place of the table
  --svg FILE         writes the comparisons as a picture
  --cpu-prof FOLDER  writes CPU profiles of the service
  --check            exits with 1 when a goal is missed
  --help             this text

Benchmarks. Sides of a comparison run in turn, call by call; numbers are medians over rounds.
${BENCHMARKS.map(({ name, description }) => `\n  ${name}\n    ${description}`).join('')}
`;

const asked = readOptions(
  {
    command: 'bench',
    help: HELP,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      memories: { type: 'string', default: String(MEMORIES) },
      postgres: { type: 'boolean', default: false },
      'slow-disk': { type: 'boolean', default: false },
      json: { type: 'string' },
      svg: { type: 'string' },
      'cpu-prof': { type: 'string' },
      check: { type: 'boolean', default: false },
    },
  },
  (values) => ({
    values,
    memories: wholeNumber('memories', values.memories),
    names:
      values.only &&
      namesOf(
        'only',
        values.only,
        BENCHMARKS.map(({ name }) => name),
      ),
    postgresUrl: values.postgres ? postgresServer() : undefined,
  }),
);

/** Runs the benchmarks; answers the exit code. */
async function main(): Promise<number> {
  const { values, memories, names, postgresUrl } = asked;
  if (values['slow-disk']) {
    process.env.NODE_OPTIONS = `--import ${SLOW_DISK.href}`;
    await import(SLOW_DISK.href);
  }

  const progress = createProgress();
  const place = { postgresUrl, profileFolder: values['cpu-prof'] };
  let made: Promise<World> | undefined;
  const bench: Bench = {
    progress,
    quick: values.quick,
    memories,
    world: () => {
      made ??= makeWorld({ ...place, memories }, progress);
      return made;
    },
    emptyWorld: () => makeWorld({ ...place, memories: 0 }, progress),
    effort: ({ rounds, calls }) =>
      values.quick ? { rounds: Math.min(rounds, 2), calls: Math.ceil(calls / HURRY) } : { rounds, calls },
  };
  const figures: Figure[] = [];
  for (const benchmark of BENCHMARKS) {
    if (names && !names.includes(benchmark.name)) continue;
    const began = performance.now();
    figures.push(...(await benchmark.run(bench)));
    progress(`${benchmark.name}: ${((performance.now() - began) / 1_000).toFixed(0)} s in all`);
  }
  await cleanUp();
  if (process.stderr.isTTY) progress('');
  const report = reportOf({ database: postgresUrl ? 'postgres' : 'pglite', memories, figures });
  const json = `${JSON.stringify(report, null, 2)}\n`;
  process.stdout.write(values.json === '-' ? json : toTable(report));
  if (values.json && values.json !== '-') await save(values.json, json);
  if (values.svg) await save(values.svg, toSvg(report));
  return values.check && figures.some((figure) => meetsGoal(figure) === false) ? 1 : 0;
}

cleanUpWhenCutOff();
process.exitCode = await main();
