import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { cases } from '../../testing/index.ts';

const kit = useTestEngine();

/** Histories that one agent lives through at once: each is about a service of its own. */
const TOGETHER = 25;
const DAYS = 9;
const HOURS_MS = 2 * 3_600_000;

/** A fact of a history, as a naive model keeps it. */
interface Fact {
  readonly id: string;
  day: number;
  readonly port: number;
  isThere: boolean;
}
type Step =
  | { readonly does: 'tell'; readonly day: number; readonly port: number }
  | { readonly does: 'forget' | 'restore'; readonly which: number }
  | { readonly does: 'date'; readonly which: number; readonly day: number };

const tell = fc.record({
  does: fc.constant('tell' as const),
  day: fc.integer({ min: 1, max: DAYS }),
  port: fc.integer({ min: 8001, max: 8009 }),
});
const other = fc.record({
  does: fc.constantFrom('forget' as const, 'restore' as const),
  which: fc.nat({ max: 5 }),
});
const date = fc.record({
  does: fc.constant('date' as const),
  which: fc.nat({ max: 5 }),
  day: fc.integer({ min: 1, max: DAYS }),
});
/**
 * Of each day something is told once: what two facts of one moment mean is for nobody to say. Where facts come and go, none is told
 * twice: two that say the same are not in one chain.
 */
const history: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: tell }, { weight: 2, arbitrary: other }, { weight: 2, arbitrary: date }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((steps: Step[]) => {
    const comeAndGo = steps.some(({ does }) => does !== 'tell');
    const told = new Set<number>();
    return steps.filter((step) => {
      if (step.does !== 'tell') return true;
      const isNew = !told.has(step.day) && !(comeAndGo && told.has(step.port));
      told.add(step.day).add(step.port);
      return isNew;
    });
  });

const midnight = (day: number) => Date.UTC(2026, 0, day);
const SYLLABLES = ['zo', 'vek', 'mir', 'tal', 'qui'];
/** A name that no other service shares a part with. */
const nameOf = (place: number) => `${SYLLABLES[place % 5]}${SYLLABLES[Math.floor(place / 5)]}dar`;

/** Carries out a step of each history; what is told, in one batch. */
async function carryOut(agent: AgentMemory, steps: readonly (Step | undefined)[], facts: readonly Fact[][]) {
  // Of each day one thing is told.
  const isTaken = (place: number, day: number) => facts[place]?.some((fact) => fact.day === day) === true;
  const telling = steps.flatMap((step, place) =>
    step?.does === 'tell' && !isTaken(place, step.day) ? [{ ...step, place }] : [],
  );
  if (telling.length > 0) {
    const { memories } = await agent.rememberBatch({
      memories: telling.map(({ place, day, port }) => ({
        type: 'semantic',
        content: `The ${nameOf(place)} service listens on port ${port}.`,
        valid_from: new Date(midnight(day)).toISOString(),
      })),
    });
    for (const [n, { place, day, port }] of telling.entries()) {
      facts[place]?.push({ id: memories[n]?.id ?? '', day, port, isThere: true });
    }
  }
  for (const [place, step] of steps.entries()) {
    if (step === undefined || step.does === 'tell') continue;
    const fact = facts[place]?.[step.which % Math.max(1, facts[place].length)];
    if (!fact) continue;
    if (step.does === 'date') {
      if (!fact.isThere || isTaken(place, step.day)) continue;
      await agent.update({ id: fact.id, valid_from: new Date(midnight(step.day)).toISOString() });
      fact.day = step.day;
      continue;
    }
    if (fact.isThere === (step.does === 'restore')) continue;
    await agent[step.does]({ id: fact.id });
    fact.isThere = step.does === 'restore';
  }
}

/** What a naive reader says was so at a moment, by service. */
function expectedAt(moment: number, facts: readonly Fact[][]): Record<string, readonly number[]> {
  const all = facts.flatMap((of, place) => {
    const begun = of.filter(({ isThere, day }) => isThere && midnight(day) <= moment);
    const last = begun.sort((a, b) => a.day - b.day).at(-1);
    return last ? [[nameOf(place), [last.port]] as const] : [];
  });
  return Object.fromEntries(all);
}

/** What the store says was so, by service: two ports of one are an overlap. */
async function answeredAt(moment: number, agent: AgentMemory): Promise<Record<string, readonly number[]>> {
  const found: Record<string, readonly number[]> = {};
  const { memories } = await agent.query({
    as_of: new Date(moment).toISOString(),
    type: 'semantic',
    limit: 100,
  });
  for (const { content } of memories) {
    const [, name = '', port] = /^The (\w+) service listens on port (\d+)\.$/.exec(content) ?? [];
    found[name] = [...new Set([...(found[name] ?? []), Number(port)])];
  }
  return found;
}

describe('random histories', () => {
  it('answer at the boundary of every day, and just before it, as a naive model does, with no overlap', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(history, { minLength: TOGETHER, maxLength: TOGETHER }), async (histories) => {
        const agent = (await kit.tenant()).agent();
        const facts: Fact[][] = histories.map(() => []);
        const longest = Math.max(...histories.map(({ length }) => length));
        for (let step = 0; step < longest; step += 1) {
          await carryOut(
            agent,
            histories.map((steps) => steps[step]),
            facts,
          );
          // What is told within an hour may be a flood of near-copies, of which none replaces another.
          kit.clock.advance(HOURS_MS);
        }
        for (let day = 1; day <= DAYS + 1; day += 1) {
          for (const moment of [midnight(day) - 1, midnight(day)]) {
            const [answered, expected] = [await answeredAt(moment, agent), expectedAt(moment, facts)];
            for (const [place, lived] of histories.entries()) {
              const name = nameOf(place);
              expect(answered[name], JSON.stringify({ moment, lived })).toEqual(expected[name]);
            }
          }
        }
      }),
      // SVC_TEST_TIMES=10 makes 10,000 of the long form.
      { numRuns: cases(75, 1_000) / TOGETHER, endOnFailure: true },
    );
  }, 3_600_000);

  it('answer so whatever order they are told in, and however many facts come in one call', async () => {
    const days = fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 2, maxLength: 7 });
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 7, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(days, { minLength: TOGETHER, maxLength: TOGETHER }),
        sizes,
        async (told, sizesOfCalls) => {
          const agent = (await kit.tenant()).agent({ source: 'import', credentialId: null });
          const facts = told.map((of): Fact[] =>
            of.map((day) => ({ id: '', day, port: 8000 + day, isThere: true })),
          );
          let from = 0;
          for (const size of sizesOfCalls) {
            const memories = facts.flatMap((of, place) =>
              of.slice(from, from + size).map(({ day, port }) => ({
                type: 'semantic' as const,
                content: `The ${nameOf(place)} service listens on port ${port}.`,
                occurred_at: new Date(midnight(day)).toISOString(),
              })),
            );
            if (memories.length > 0) await agent.rememberBatch({ memories });
            kit.clock.advance(1_000);
            from += size;
          }
          for (let day = 1; day <= DAYS; day += 1) {
            const [answered, expected] = [
              await answeredAt(midnight(day), agent),
              expectedAt(midnight(day), facts),
            ];
            expect(answered, JSON.stringify({ day, told, sizesOfCalls })).toEqual(expected);
          }
        },
      ),
      { numRuns: cases(75, 1_000) / TOGETHER, endOnFailure: true },
    );
  }, 3_600_000);
});
