import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { cases } from '../../testing/index.ts';

const kit = useTestEngine();

const SAID = [
  'plum',
  'anchor',
  'violin',
  'glacier',
  'lantern',
  'copper',
  'meadow',
  'falcon',
  'saddle',
  'comet',
];

/** One thing done to a chain of facts. `which` names a fact by the order in which they were told. */
interface Step {
  readonly deed: 'tell' | 'forget' | 'restore' | 'free' | 'erase';
  readonly which: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  deed: fc.constantFrom('tell', 'tell', 'forget', 'forget', 'restore', 'free', 'erase'),
  which: fc.nat({ max: 5 }),
});

/** A fact as a naive store keeps it. */
interface Fact {
  readonly id: string;
  readonly content: string;
  readonly by: string | undefined;
  readonly archivedAt: number | undefined;
}
type State = ReadonlyMap<string, Fact>;

/** Carries out a step, and answers what a naive store holds then. A new fact supersedes the one that is named. */
async function carryOut(agent: AgentMemory, { deed, which }: Step, state: State): Promise<State> {
  const known = [...state.values()];
  const fact = known[which % Math.max(1, known.length)];
  const next = new Map(state);
  const now = kit.clock().getTime();
  if (deed === 'tell') {
    const older = fact && fact.archivedAt === undefined ? fact : undefined;
    const content = `Report ${SAID[known.length]}`;
    const named = older ? { supersedes: [older.id] } : {};
    const { memory } = await agent.remember({ type: 'semantic', content, ...named });
    if (older) next.set(older.id, { ...older, by: memory.id });
    return next.set(memory.id, { id: memory.id, content, by: undefined, archivedAt: undefined });
  }
  if (!fact) return next;
  const { id } = fact;
  if (deed === 'forget' && fact.archivedAt === undefined) {
    await agent.forget({ id });
    return next.set(id, { ...fact, archivedAt: now });
  }
  if (deed === 'restore' && fact.archivedAt !== undefined) {
    await agent.restore({ id });
    return next.set(id, { ...fact, archivedAt: undefined });
  }
  if (deed === 'free' && fact.archivedAt === undefined) {
    await agent.update({ id, superseded_by: null });
    return next.set(id, { ...fact, by: undefined });
  }
  return next;
}

/** What a naive reader makes of a state of which some facts were erased since: what is there and leads to nothing that is there. */
function expectedOf(state: State, erased: ReadonlySet<string>): string[] {
  const isThere = ({ id, archivedAt }: Fact) => archivedAt === undefined && !erased.has(id);
  const holds = (fact: Fact) => {
    let next = state.get(fact.by ?? '');
    while (next && !isThere(next)) next = state.get(next.by ?? '');
    return isThere(fact) && !next;
  };
  return [...state.values()].flatMap((fact) => (holds(fact) ? [fact.content] : [])).sort();
}

const contentsOf = (found: readonly { content: string }[]) => found.map(({ content }) => content).sort();

/** What each way to read says that was known at a moment; undefined: what is known now. */
async function known(agent: AgentMemory, known_at?: string) {
  const at = known_at === undefined ? {} : { known_at };
  const { injection } = await agent.boot({ preview: true, ...at });
  const { results } = await agent.recall({ query: 'report', threshold: 0, limit: 100, ...at });
  const as_of = kit.clock().toISOString();
  const held = (await agent.export({ as_of, ...at })).export.memories;
  return {
    booted: [...injection.matchAll(/^- \[[^\]]*\] (Report \w+)/gm)].map(([, text]) => text).sort(),
    queried: contentsOf((await agent.query({ limit: 100, ...at })).memories),
    recalled: contentsOf(results),
    exported: contentsOf(held.semantic),
  };
}

it('chains of facts are answered at every instant as a naive store knew them then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const agent = (await kit.tenant()).agent();
      const states: { readonly at: string; readonly state: State }[] = [];
      const erased = new Set<string>();
      let state: State = new Map();
      for (const one of steps) {
        if (one.deed === 'erase') {
          kit.clock.advance(30 * DAY_MS);
          await kit.engine.background.run('memory.erase-expired');
          for (const { id, archivedAt } of state.values()) if (archivedAt !== undefined) erased.add(id);
        } else if (!erased.has([...state.keys()][one.which % Math.max(1, state.size)] ?? '')) {
          state = await carryOut(agent, one, state);
        }
        states.push({ at: kit.clock().toISOString(), state });
        kit.clock.advance(1_000);
      }
      const all = (contents: string[]) => ({
        ...{ booted: contents, queried: contents },
        ...{ recalled: contents, exported: contents },
      });
      expect(await known(agent), JSON.stringify(steps)).toEqual(all(expectedOf(state, erased)));
      for (const { at, state: then } of states) {
        expect(await known(agent, at), JSON.stringify({ steps, at })).toEqual(all(expectedOf(then, erased)));
      }
    }),
    { numRuns: cases(2, 60), endOnFailure: true },
  );
});
