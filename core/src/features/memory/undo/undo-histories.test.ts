import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgentMemory } from '../../../app/contract.ts';
import { useTestEngine } from '../../../testing/engine.fixture.ts';
import { cases } from '../../../testing/index.ts';

const kit = useTestEngine();

const DAYS = 9;
const HOURS_MS = 2 * 3_600_000;
type Who = 'agent' | 'human';

/** What was said, as a naive model keeps it: a fact, another day of it, or that it is forgotten or holds again. */
interface Said {
  readonly id: string;
  readonly who: Who;
  readonly at: string;
  readonly day?: number;
  /** Of a fact; absent where only something else of it was said. */
  readonly port?: number;
  readonly isForgotten?: boolean;
}

const who = fc.constantFrom<Who>('agent', 'human');
const day = fc.integer({ min: 1, max: DAYS });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('tell' as const), who, day }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('date' as const), which: fc.nat({ max: 5 }), day }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('forget' as const), which: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restore' as const), which: fc.nat({ max: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('undo' as const), who, from: fc.nat({ max: 8 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const midnight = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();

/** A fact that nobody took back, by what was said of it last. */
interface Told {
  readonly id: string;
  readonly who: Who;
  readonly day: number;
  readonly port: number;
  readonly isForgotten: boolean;
}

/** What the model makes of it. */
function factsOf(said: readonly Said[]): Told[] {
  return said.flatMap(({ id, who, port }) => {
    if (port === undefined) return [];
    const own = said.filter((one) => one.id === id);
    const day = own.findLast((one) => one.day !== undefined)?.day ?? 0;
    const isForgotten = own.findLast((one) => one.isForgotten !== undefined)?.isForgotten ?? false;
    return [{ id, who, port, day, isForgotten }];
  });
}

async function carryOut(
  as: Record<Who, AgentMemory>,
  step: Step,
  said: Said[],
  number: number,
): Promise<void> {
  const at = kit.clock().toISOString();
  const told = factsOf(said);
  if (step.does === 'undo') {
    const since = said[step.from % Math.max(1, said.length)]?.at ?? at;
    await as.human.undo({ source: step.who, since });
    const isTaken = (one: Said) => one.who === step.who && one.at >= since;
    said.splice(0, said.length, ...said.filter((one) => !isTaken(one)));
    return;
  }
  if (step.does === 'forget' || step.does === 'restore') {
    const isForgotten = step.does === 'forget';
    const fact = told[step.which % Math.max(1, told.length)];
    if (!fact || fact.isForgotten === isForgotten) return;
    await as[fact.who][step.does]({ id: fact.id });
    said.push({ id: fact.id, who: fact.who, at, isForgotten });
    return;
  }
  // Of each day one thing is told, and what is taken back may leave its day to nobody else.
  if (said.some((one) => one.day === step.day)) return;
  if (step.does === 'tell') {
    const port = 8000 + number;
    const content = `The staging server listens on port ${port}.`;
    const stored = await as[step.who].remember({ type: 'semantic', content, valid_from: midnight(step.day) });
    said.push({ id: stored.memory.id, who: step.who, at, day: step.day, port });
    return;
  }
  const there = told.filter(({ isForgotten }) => !isForgotten);
  const fact = there[step.which % Math.max(1, there.length)];
  if (!fact) return;
  // Who told a fact dates it anew.
  await as[fact.who].update({ id: fact.id, valid_from: midnight(step.day) });
  said.push({ id: fact.id, who: fact.who, at, day: step.day });
}

/** What is told while a fact has another date finds its place by that, which is then taken back. */
const TOLD_MEANWHILE: Step[] = [
  { does: 'tell', who: 'human', day: 1 },
  { does: 'date', which: 0, day: 3 },
  { does: 'tell', who: 'agent', day: 2 },
  { does: 'undo', who: 'human', from: 1 },
];

/** Who told the earlier fact found its successor first, then somebody else told one between: both links are the rules'. */
const TOLD_BETWEEN: Step[] = [
  { does: 'tell', who: 'agent', day: 7 },
  { does: 'date', which: 0, day: 2 },
  { does: 'tell', who: 'agent', day: 8 },
  { does: 'tell', who: 'human', day: 6 },
  { does: 'undo', who: 'agent', from: 1 },
];

/** The undo gives a fact another date and takes back the link of another one, while somebody told what comes behind both. */
const TOLD_BEHIND: Step[] = [
  { does: 'tell', who: 'agent', day: 3 },
  { does: 'tell', who: 'human', day: 5 },
  { does: 'date', which: 0, day: 6 },
  { does: 'tell', who: 'human', day: 7 },
  { does: 'undo', who: 'agent', from: 2 },
];

/** What the undo archives had another place once, before what leads to it by now. */
const ARCHIVED_BETWEEN: Step[] = [
  { does: 'tell', who: 'human', day: 5 },
  { does: 'tell', who: 'agent', day: 3 },
  { does: 'date', which: 1, day: 9 },
  { does: 'tell', who: 'human', day: 6 },
  { does: 'undo', who: 'agent', from: 1 },
  { does: 'date', which: 1, day: 9 },
];

/** What is dated behind a forgotten fact is not replaced by it once that comes back. */
const RESTORED_BEFORE: Step[] = [
  { does: 'tell', who: 'human', day: 8 },
  { does: 'tell', who: 'human', day: 7 },
  { does: 'forget', which: 0 },
  { does: 'tell', who: 'agent', day: 1 },
  { does: 'date', which: 1, day: 9 },
  { does: 'restore', which: 0 },
];

it('an undo of either source, at any time and again, leaves what a naive model makes of the rest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 9 }), async (lived) => {
      const { agent } = await kit.tenant();
      const as = { agent: agent(), human: agent({ source: 'human', credentialId: null }) };
      const said: Said[] = [];
      for (const [number, one] of lived.entries()) {
        await carryOut(as, one, said, number);
        // What is told within an hour may be a flood of near-copies, of which none replaces another.
        kit.clock.advance(HOURS_MS);
      }
      const facts = factsOf(said);
      for (let n = 1; n <= DAYS; n += 1) {
        const { memories } = await as.agent.query({ as_of: midnight(n), type: 'semantic' });
        const holds = facts
          .filter(({ day, isForgotten }) => day <= n && !isForgotten)
          .sort((a, b) => a.day - b.day)
          .at(-1);
        const found = memories.map(({ content }) => Number(/\d+/.exec(content)?.[0]));
        expect(found, JSON.stringify({ n, lived })).toEqual(holds ? [holds.port] : []);
      }
    }),
    {
      numRuns: cases(60, 150),
      examples: [[TOLD_MEANWHILE], [TOLD_BETWEEN], [TOLD_BEHIND], [ARCHIVED_BETWEEN], [RESTORED_BEFORE]],
      endOnFailure: true,
    },
  );
}, 600_000);
