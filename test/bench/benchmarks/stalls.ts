import { setTimeout } from 'node:timers/promises';
import type { Bench, Benchmark } from '../benchmark.ts';
import type { Figure } from '../report.ts';
import { quantile } from '../scale/load.ts';
import type { Outcome, StallCase } from '../stalls/case.ts';
import { STALL_CASES } from '../stalls/cases.ts';
import type { Samples } from '../stalls/health-probe.ts';
import { type Site, siteOf } from '../stalls/site.ts';
import { watchHealth } from '../stalls/watch-health.ts';
import type { World } from '../world.ts';

/** Most that `/health` may wait at its 99th percentile, in milliseconds. */
const HEALTH_GOAL_MS = 250;
/** Seconds within which every call is to be done or refused. */
const ANSWER_GOAL_S = 30;
const IDLE_MS = { quick: 2_000, full: 5_000 };
const AFTER_MS = 500;
/** Of so many cases on a full store a quick run takes one. The worst of those on a fresh one are a row of the faults. */
const QUICK_SHARE = 3;

export const stalls: Benchmark = {
  name: 'stalls',
  description: `What keeps the service busy, a worst case of each kind, and how long /health waits meanwhile: at p50, p99 and at most, called every 20 ms from a process of its own. STALLS=TEXT in the environment: only the cases whose name holds that text. A quick run takes every third case of those on a full store; what it leaves out, imports, large bodies and reflections, npm run faults -- --only "work that once" looks at.`,
  run: async (bench) => {
    const { STALLS: wanted } = process.env;
    const quick = STALL_CASES.filter(({ site }) => site === 'full').filter(
      (_, index) => index % QUICK_SHARE === 1,
    );
    const usual = bench.quick ? quick : STALL_CASES;
    const cases = wanted === undefined ? usual : STALL_CASES.filter(({ name }) => name.includes(wanted));
    const figures: Figure[] = [];
    for (const site of ['fresh', 'full'] as const) {
      const own = cases.filter((one) => one.site === site);
      if (own.length > 0) {
        figures.push(...(await runAll(bench, own, site === 'fresh' ? bench.emptyWorld : bench.world, site)));
      }
    }
    return figures;
  },
};

async function runAll(
  bench: Bench,
  cases: readonly StallCase[],
  make: () => Promise<World>,
  name: string,
): Promise<Figure[]> {
  const world = await make();
  const service = await world.start();
  const health = await watchHealth(service.url);
  const site: Site = siteOf(service.url, world.apiKey);
  const figures: Figure[] = [];
  try {
    const idle = await health.during(() => setTimeout(IDLE_MS[bench.quick ? 'quick' : 'full']));
    const floor = quantile(idle.samples.answered, 0.99);
    figures.push(...figuresOf(`idle, ${name}`, [], idle.samples));
    for (const one of cases) {
      bench.progress(`stalls: ${one.name}`);
      const { result, samples } = await health.during(async () => {
        const outcomes = await one.run(site);
        // What a call leaves behind may hold others too.
        await setTimeout(AFTER_MS);
        return outcomes;
      });
      const own = figuresOf(one.name, result, samples, floor);
      bench.progress(
        own.map((figure) => `${figure.name} ${figure.value.toFixed(1)} ${figure.unit}`).join(', '),
      );
      figures.push(...own);
    }
  } finally {
    health.stop();
    await service.stop();
    if (name === 'fresh') await world.remove();
  }
  return figures;
}

function figuresOf(
  name: string,
  outcomes: readonly Outcome[],
  { answered, unanswered }: Samples,
  floor?: number,
): Figure[] {
  const became = [...new Set(outcomes.map((outcome) => outcome.became))]
    .map((what) => `${countOf(outcomes, what)}${what}`)
    .join('; ');
  const longest = Math.max(...answered);
  return [
    ...(outcomes.length === 0
      ? []
      : [
          {
            name: `${name}: ${became}`,
            unit: 's' as const,
            value: Math.max(...outcomes.map(({ ms }) => ms)) / 1_000,
            goal: ANSWER_GOAL_S,
          },
        ]),
    { name: '  /health p50', unit: 'ms', value: quantile(answered, 0.5) },
    {
      name: `  /health p99${outcomes.length === 0 ? `, ${name}` : ''}`,
      unit: 'ms',
      value: quantile(answered, 0.99),
      ...(floor === undefined ? {} : { floor }),
      goal: HEALTH_GOAL_MS,
    },
    { name: '  /health at most', unit: 'ms', value: longest },
    ...(unanswered === 0
      ? []
      : [{ name: '  /health unanswered', unit: 'calls' as const, value: unanswered, goal: 0 }]),
  ];
}

function countOf(outcomes: readonly Outcome[], what: string): string {
  const count = outcomes.filter(({ became }) => became === what).length;
  return outcomes.length === 1 ? '' : `${count} × `;
}
