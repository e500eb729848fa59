import { createEngine, createStaticEmbedder } from '@svc-memory/core';
import type { Benchmark } from '../benchmark.ts';
import { questionsOf } from '../corpus.ts';
import { interleave, median, ratio } from '../measure.ts';
import { type RecordedTransaction, readingOf, recordStatements, replay } from '../statements.ts';

const GOAL = 1.5;
const QUESTIONS = 100;

interface Asked {
  readonly query: string;
  readonly search: RecordedTransaction;
  readonly all: readonly RecordedTransaction[];
}

export const recall: Benchmark = {
  name: 'recall',
  description:
    'POST /memories/recall against its floor: embedding the query and searching in the database, one transaction of the same driver, without HTTP, access check, parsing, analysis, ranking, usage count and event.',
  run: async (bench) => {
    const world = await bench.world();
    const database = await world.openFloor();
    const service = await world.start();
    const embedder = createStaticEmbedder();
    const engine = createEngine({ database, embedder });
    const agent = engine.agent(world.tenantId);
    try {
      const recorder = recordStatements(database);
      // Without memories held in the process, so that the floor searches in the database.
      const settings = { recallHeldBytes: 0 };
      const recording = createEngine({ database: recorder.database, embedder, settings }).agent(
        world.tenantId,
      );
      const asked: Asked[] = [];
      for (const query of questionsOf(bench.quick ? QUESTIONS / 5 : QUESTIONS)) {
        await recording.recall({ query });
        const all = recorder.take();
        // The search is the last: what is to be known before it was looked up by the first call.
        const search = all.map(readingOf).findLast((reading) => reading !== undefined);
        if (!search) throw new Error('a recall without a search');
        asked.push({ query, search, all });
      }
      const question = (call: number): Asked => {
        const found = asked[call % asked.length];
        if (!found) throw new Error('no question');
        return found;
      };
      bench.progress('recall: REST, in process, floor');
      const times = await interleave(
        {
          rest: (call) => service.call('POST', '/api/v1/memories/recall', { query: question(call).query }),
          inProcess: (call) => agent.recall({ query: question(call).query }),
          floor: async (call) => {
            const { query, search } = question(call);
            await embedder.embed([query]);
            await replay(database, search);
          },
        },
        bench.effort({ rounds: 7, calls: 60 }),
      );
      const floor = median(times.floor);
      const statements = (of: (one: Asked) => number) => median(asked.map(of));
      return [
        {
          name: 'recall over REST',
          unit: 'ms',
          value: median(times.rest),
          floor,
          ratio: ratio(times.rest, times.floor),
          goal: GOAL,
        },
        {
          name: 'recall in process',
          unit: 'ms',
          value: median(times.inProcess),
          floor,
          ratio: ratio(times.inProcess, times.floor),
        },
        {
          name: 'statements of a search',
          unit: 'statements',
          value: statements(({ search }) => search.statements.length),
        },
        {
          name: 'statements of a recall',
          unit: 'statements',
          value: statements(({ all }) => all.flatMap((one) => one.statements).length),
        },
      ];
    } finally {
      await service.stop();
      await engine.close();
    }
  },
};
