import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { faults } from './all.ts';
import { verdictOf } from './fault.ts';
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

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    svg: { type: 'string' },
    seed: { type: 'string', default: process.env.SVC_FAULTS_SEED ?? String(randomInt(1_000_000_000)) },
    only: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const show = (text: string) => process.stdout.write(text);
if (values.help) show(HELP);
else if (values.list) show(faults.map(({ name, holds }) => `${name}: ${holds}\n`).join(''));
else await main(Number(values.seed), Number(values.rounds));

async function main(seed: number, rounds: number): Promise<void> {
  const chosen = faults.filter(({ name }) => values.only?.some((text) => name.includes(text)) ?? true);
  show(`seed ${seed}, ${rounds} rounds, ${chosen.length} faults\n`);
  const { minutes, svg } = values;
  const run = startRun(seed, {
    rounds,
    ...(minutes !== undefined && { minutes: Number(minutes) }),
    ...(svg !== undefined && { svg }),
  });
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
