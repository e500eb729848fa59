import { SingleBar } from 'cli-progress';
import type { Fault } from '../fault.ts';
import { cutPower } from '../lab/power-cuts.ts';
import type { Random } from '../lab/random.ts';

// Some minutes; the suite takes fewer.
const CUTS = Number(process.env.SVC_TEST_CUTS ?? 200);
// As many show that the harness finds what is lost: nine of ten do.
const CUTS_WITHOUT_SYNC = Math.min(10, Math.ceil(CUTS / 2));

/** The power is cut while the embedded database is written. */
export const powerCut: Fault = {
  name: 'power-cut, embedded database',
  holds:
    'it starts, no acknowledged memory is missing and none is there by half; without sync the same cuts lose memories',
  run: async ({ random, rounds }) => {
    const cuts = await shown('power cuts', CUTS * rounds, { random, sync: true });
    const without = await shown('without sync', CUTS_WITHOUT_SYNC, { random, sync: false });
    const lostWithout = without.filter(({ lost }) => lost > 0).length;
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
    return {
      times: cuts.length,
      n: `${sum(cuts.map(({ acknowledged }) => acknowledged))} acknowledged`,
      lost: sum(cuts.map(({ lost }) => lost)),
      duplicates: 0,
      codes: {},
      note: `${cuts.filter(({ lost, problems }) => lost + problems.length === 0).length} of ${cuts.length} cuts without loss; without sync ${lostWithout} of ${without.length} lose memories`,
      problems: [
        ...new Set(cuts.flatMap(({ problems }) => problems)),
        ...(lostWithout === 0 ? ['without sync nothing is lost: these cuts prove nothing'] : []),
      ],
    };
  },
};

async function shown(title: string, cuts: number, given: { random: Random; sync: boolean }) {
  const bar = new SingleBar({
    format: `${title} [{bar}] {value}/{total}  {eta_formatted} left`,
    noTTYOutput: true,
    notTTYSchedule: 30_000,
  });
  bar.start(cuts, 0);
  try {
    return await cutPower({ ...given, cuts, onCut: (done) => bar.update(done) });
  } finally {
    bar.stop();
  }
}
