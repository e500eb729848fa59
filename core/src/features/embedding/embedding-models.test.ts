import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createEngine, type Engine } from '../../app/engine.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { cases, startTestEngine } from '../../testing/index.ts';
import type { Embedder } from './embedder.ts';

const DAY = 86_400_000;
const TOPICS = ['tea', 'sea', 'ski'] as const;
type Topic = (typeof TOPICS)[number];
const calibration = { unrelated: 0.1, related: 0.9, trust: 1 };

/** Set while a step of the re-embedding is to fail. */
let away = false;

/**
 * A model that sees nothing but the topic of a text, each model in other dimensions: compared with the vector of another
 * model, every query finds the memories of another topic, with full similarity.
 */
function modelShiftedBy(shift: number): Embedder {
  return {
    model: `test:${shift}`,
    dimensions: TOPICS.length,
    calibration,
    embed: async (texts, _, purpose) => {
      if (away && purpose === 'memory') throw new Error('away');
      return texts.map((text) => {
        const vector = new Float32Array(TOPICS.length);
        vector[(TOPICS.findIndex((topic) => text.includes(topic)) + shift) % TOPICS.length] = 1;
        return vector;
      });
    },
  };
}

const MODELS = [0, 1, 2].map(modelShiftedBy);

const kit = useTestEngine({ embedder: MODELS[0] as Embedder });
/** Processes of the service with different embedders on one database; the last one is configured with the first only. */
let processes: Engine[];
beforeAll(async () => {
  const { database } = kit.engine;
  const embedderFor = (model: string) => MODELS.find((one) => one.model === model);
  processes = MODELS.map((embedder) => createEngine({ database, clock: kit.clock, embedder, embedderFor }));
  processes.push(createEngine({ database, clock: kit.clock, embedder: MODELS[0] as Embedder }));
});

type Step =
  | {
      readonly do: 'remember' | 'update' | 'forget' | 'restore';
      readonly by: number;
      readonly topic: Topic;
      readonly which: number;
    }
  | { readonly do: 'recall'; readonly by: number; readonly topic: Topic }
  | { readonly do: 'change' | 'work' | 'work in vain' | 'catch up' | 'clean up'; readonly by: number };

const by = fc.nat({ max: 3 });
const topic = fc.constantFrom(...TOPICS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('remember', 'update', 'forget', 'restore'),
      by,
      topic,
      which: fc.nat(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('recall' as const), by, topic }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('change', 'work', 'work in vain', 'catch up', 'clean up'),
      by,
    }),
  },
) as fc.Arbitrary<Step>;

describe('vectors of several models', () => {
  it('are never mixed in an answer, whatever happens during a change of the embedder', async () => {
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const { tenantId } = await kit.tenant();
        const topics = new Map<string, Topic>();
        const archived = new Set<string>();
        const at = (which: number, among: readonly string[]) => among[which % Math.max(1, among.length)];
        const content = (said: Topic) => {
          serial += 1;
          return `${said}${serial}`;
        };

        const recall = async (engine: Engine, asked: Topic, complete: boolean) => {
          const { results, degraded } = await engine
            .agent(tenantId)
            .recall({ query: `${asked}?`, limit: 100 });
          const wrong = results.filter(({ id }) => topics.get(id) !== asked);
          expect(wrong, 'found by a vector of another model').toEqual([]);
          if (!complete) return;
          expect(degraded).toBeUndefined();
          const active = [...topics].filter(([id, said]) => said === asked && !archived.has(id));
          expect(results.map(({ id }) => id).sort()).toEqual(active.map(([id]) => id).sort());
        };

        for (const one of steps) {
          const engine = processes[one.by] as Engine;
          const agent = engine.agent(tenantId);
          if (one.do === 'remember') {
            const { memory } = await agent.remember({ type: 'semantic', content: content(one.topic) });
            topics.set(memory.id, one.topic);
          } else if (one.do === 'update' || one.do === 'forget') {
            const id = at(
              one.which,
              [...topics.keys()].filter((known) => !archived.has(known)),
            );
            if (id && one.do === 'update') {
              await agent.update({ id, content: content(one.topic) });
              topics.set(id, one.topic);
            } else if (id) {
              await agent.forget({ id });
              archived.add(id);
            }
          } else if (one.do === 'restore') {
            const id = at(one.which, [...archived]);
            if (id) await agent.restore({ id });
            if (id) archived.delete(id);
          } else if (one.do === 'recall') {
            await recall(engine, one.topic, false);
          } else if (one.do === 'change') {
            await engine.reembedding.start(tenantId);
          } else if (one.do === 'work' || one.do === 'work in vain') {
            away = one.do === 'work in vain';
            await engine.background.run('jobs.work');
            away = false;
          } else if (one.do === 'catch up') {
            await engine.background.run('embedding.catch-up');
          } else {
            kit.clock.advance(2 * DAY);
            await engine.background.run('embedding.forget-other');
          }
        }
        // Whatever happened: with what is outstanding done, everything is found again, by a process that has the models.
        const engine = processes[1] as Engine;
        for (let round = 0; round < 3; round += 1) {
          kit.clock.advance(DAY);
          await engine.background.run('jobs.work');
          await engine.background.run('embedding.catch-up');
        }
        for (const asked of TOPICS) await recall(engine, asked, true);
      }),
      { numRuns: cases(8, 60), seed: 20 },
    );
  }, 240_000);
});

it.each<[string, () => Promise<Float32Array[]>]>([
  ['never answers and heeds no signal', () => new Promise(() => {})],
  ['leaves all places empty', async () => new Array(1)],
  ['answers nothing', async () => undefined as never],
])('an embedder that %s takes no memory, and does not keep the engine from its end', async (_, answer) => {
  let asked = 0;
  const embed = () => {
    asked += 1;
    return answer();
  };
  const own = await startTestEngine({
    embedder: { model: 'test:broken', dimensions: 3, calibration, embed },
    settings: { writePatienceMs: 20, recallPatienceMs: 20 },
  });
  const agent = (await own.tenant()).agent();
  await agent.remember({ type: 'semantic', content: 'Deploys are frozen on Fridays.' });
  const { results, degraded } = await agent.recall({ query: 'when are deploys frozen?' });
  expect([results.length, degraded]).toEqual([1, true]);
  own.clock.advance(DAY);
  const before = asked;
  const working = own.engine.background.runDue();
  await vi.waitFor(() => expect(asked).toBeGreaterThan(before), { timeout: 10_000 });
  await own.engine.background.stop(100);
  await working;
  await own.close();
});
