import { createEngine, createStaticEmbedder } from '@svc-memory/core';
import type { Benchmark } from '../benchmark.ts';
import { memoriesOf, questionsOf, type SyntheticMemory } from '../corpus.ts';
import { interleave, median, ratio, timed } from '../measure.ts';
import { type RecordedTransaction, recordStatements, replay } from '../statements.ts';

/** A service as it is some time after its start: its code is compiled, and the memories of who asks are held. */
const WARM = { firstWrites: 60, recalls: 10, writes: 840 };
const REST_GOAL = 1.5;

export const write: Benchmark = {
  name: 'write',
  description:
    'POST /memories against its floor: embedding the content and running the same statements in as many transactions of the same driver, without HTTP, access check, parsing and analysis. The service has answered 10 recalls and 900 writes before; the first 60 of these stand apart.',
  run: async (bench) => {
    const world = await bench.world();
    const database = await world.openFloor();
    const service = await world.start();
    const embedder = createStaticEmbedder();
    const engine = createEngine({ database, embedder });
    const agent = engine.agent(world.tenantId);
    const effort = bench.effort({ rounds: 7, calls: 60 });
    const calls = (effort.rounds + 1) * effort.calls;
    const [forFloor, forRest, inProcess] = [21, 22, 23].map((seed) => memoriesOf(calls, seed));
    const before = memoriesOf(WARM.firstWrites + WARM.writes, 24);
    const store = (memory: SyntheticMemory) => service.call('POST', '/api/v1/memories', memory);
    const contentOf = (memories: readonly SyntheticMemory[] | undefined, call: number): SyntheticMemory => {
      const memory = memories?.[call];
      if (!memory) throw new RangeError('not enough memories');
      return memory;
    };
    try {
      const recorder = recordStatements(database);
      const recording = createEngine({ database: recorder.database, embedder }).agent(world.tenantId);
      // A fact is compared with earlier ones before the transaction that stores it.
      const writes: RecordedTransaction[][] = [];
      for (const memory of forFloor ?? []) {
        await recording.remember(memory);
        writes.push(recorder.take());
      }
      bench.progress('write: the first ones');
      const first: number[] = [];
      for (const memory of before.slice(0, WARM.firstWrites)) first.push(await timed(() => store(memory)));
      for (const query of questionsOf(WARM.recalls))
        await service.call('POST', '/api/v1/memories/recall', { query });
      for (const memory of before.slice(WARM.firstWrites)) await store(memory);
      bench.progress('write: REST, in process, floor');
      const times = await interleave(
        {
          rest: (call) => store(contentOf(forRest, call)),
          inProcess: (call) => agent.remember(contentOf(inProcess, call)),
          floor: async (call) => {
            const transactions = writes[call];
            if (!transactions) throw new RangeError('not enough writes');
            await embedder.embed([contentOf(forFloor, call).content]);
            for (const transaction of transactions) await replay(database, transaction);
          },
        },
        effort,
      );
      const floor = median(times.floor);
      return [
        {
          name: 'write over REST',
          unit: 'ms',
          value: median(times.rest),
          floor,
          ratio: ratio(times.rest, times.floor),
          goal: REST_GOAL,
        },
        { name: 'write over REST, just after a start', unit: 'ms', value: median(first) },
        {
          name: 'write in process',
          unit: 'ms',
          value: median(times.inProcess),
          floor,
          ratio: ratio(times.inProcess, times.floor),
        },
        {
          name: 'statements of a write',
          unit: 'statements',
          value: median(
            writes.map((transactions) => transactions.flatMap(({ statements }) => statements).length),
          ),
        },
      ];
    } finally {
      await service.stop();
      await engine.close();
    }
  },
};
