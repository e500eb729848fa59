import { randomInt } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { faults } from '../faults/all.ts';
import { verdictOf } from '../faults/fault.ts';
import { type Outcome, tableOf } from '../faults/report.ts';
import { startRun } from '../faults/run.ts';

// The quick form; `npm run faults -- --rounds N` is the long one.
const seed = Number(process.env.SVC_FAULTS_SEED ?? randomInt(1_000_000_000));
// Growth is judged from ten minutes on; until then a soak shows that no call fails.
const run = startRun(seed, { rounds: 1, minutes: 0.2 });
const outcomes: Outcome[] = [];

afterAll(async () => {
  await run.close();
  process.stdout.write(`\n${tableOf(outcomes, seed)}\n`);
});

/** `timed` or `untimed` of them only. Default: all. */
const kind = process.env.SVC_TEST_FAULTS;
const chosen = faults.filter(({ timed }) => !kind || kind === (timed ? 'timed' : 'untimed'));

test.each(chosen.map((fault) => [`${fault.name}: ${fault.holds}`, fault] as const))(
  '%s',
  // Patience with a busy machine; what a fault has to hold is in its verdict.
  { timeout: 900_000 },
  async (_name, fault) => {
    const outcome = await run.make(fault);
    outcomes.push(outcome);
    expect(outcome.figures ? verdictOf(outcome.figures) : []).toEqual([]);
  },
);
