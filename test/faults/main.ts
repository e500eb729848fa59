import { randomInt } from 'node:crypto';
import { lengthOf, readOptions, UsageError, wholeNumber } from '../kit/options.ts';
import { faults } from './all.ts';
import { type Fault, verdictOf } from './fault.ts';
import { type Outcome, tableOf } from './report.ts';
import { startRun } from './run.ts';

const HELP = `Breaks a service of several processes in every known way, and shows what was lost.

  npm run faults -- [options]

  --rounds N    how often each fault is made; default 1, the quick form
                (fewer writes beside a backup, and a smaller reflection)
  --minutes N   how long the soak goes on; default half a minute
  --svg FILE    picture of the soak
  --seed N      repeats a run of that seed; default: a random one, or SVC_FAULTS_SEED
  --only TEXT   only faults whose name holds that text; may be repeated
  --list        only their names, and what must hold
  --help        this text

It starts a Postgres and a Redis of its own; .ci/install installs them on Debian. Run npm run build first.
`;

const asked = readOptions(
  {
    command: 'faults',
    help: HELP,
    options: {
      rounds: { type: 'string', default: '1' },
      minutes: { type: 'string' },
      svg: { type: 'string' },
      seed: { type: 'string', default: process.env.SVC_FAULTS_SEED ?? String(randomInt(1_000_000_000)) },
      only: { type: 'string', multiple: true },
      list: { type: 'boolean', default: false },
    },
  },
  ({ rounds, minutes, svg, seed, only, list }) => ({
    seed: wholeNumber('seed', seed, 0),
    extent: {
      rounds: wholeNumber('rounds', rounds),
      ...(minutes !== undefined && { minutes: lengthOf('minutes', 'minutes', minutes) }),
      ...(svg !== undefined && { svg }),
    },
    chosen: faultsNamed(only),
    list,
  }),
);
const show = (text: string) => process.stdout.write(text);
if (asked.list) show(faults.map(({ name, holds }) => `${name}: ${holds}\n`).join(''));
else await main();

/** Those whose names hold one of the texts; all without any. */
function faultsNamed(texts: readonly string[] | undefined): readonly Fault[] {
  const unknown = texts?.find((text) => !faults.some(({ name }) => name.includes(text)));
  if (unknown !== undefined) {
    throw new UsageError(`--only: no fault has ${JSON.stringify(unknown)} in its name; --list names them`);
  }
  return faults.filter(({ name }) => texts?.some((text) => name.includes(text)) ?? true);
}

async function main(): Promise<void> {
  const { seed, extent, chosen } = asked;
  show(`seed ${seed}, ${extent.rounds} rounds, ${chosen.length} faults\n`);
  const run = startRun(seed, extent);
  const outcomes: Outcome[] = [];
  try {
    for (const fault of chosen) {
      const outcome = await run.make(fault);
      outcomes.push(outcome);
      show(`${fault.name}: ${outcome.skipped ?? `${(outcome.ms / 1_000).toFixed(1)} s`}\n`);
    }
  } finally {
    await run.close();
    show(`\n${tableOf(outcomes, seed)}`);
  }
  const broken = outcomes.filter(({ figures }) => figures && verdictOf(figures).length > 0);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
