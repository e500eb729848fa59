import type { Benchmark } from '../benchmark.ts';
import { questionsOf } from '../corpus.ts';
import { median, timed } from '../measure.ts';

/** A recall may take twice as long while the service reflects. */
const GOAL = 2;

export const reflection: Benchmark = {
  name: 'reflection',
  description:
    'POST /memories/recall while the service begins to reflect on all memories in the store, against recalls before it; how many steps the reflection makes meanwhile. It changes the store: what comes after it finds digests.',
  run: async (bench) => {
    const world = await bench.world();
    const service = await world.start();
    const { rounds, calls } = bench.effort({ rounds: 4, calls: 100 });
    const questions = questionsOf(calls);
    const recalls = async (): Promise<number> => {
      const took: number[] = [];
      for (const query of questions) {
        took.push(await timed(() => service.call('POST', '/api/v1/memories/recall', { query })));
      }
      return median(took);
    };
    try {
      bench.progress('reflection: recalls before it');
      // The first ones compile the code and load the memories.
      for (let round = 0; round < 2; round += 1) await recalls();
      const floor = await recalls();
      bench.progress('reflection: recalls beside it');
      const started = await service.call('POST', '/api/v1/reflect', {});
      const { job } = started as { job: { id: string } };
      const beside: number[] = [];
      for (let round = 0; round < rounds; round += 1) beside.push(await recalls());
      const found = await service.call('GET', `/api/v1/jobs/${job.id}`);
      const { progress } = (found as { job: { progress: { done: number } } }).job;
      const value = median(beside);
      return [
        { name: 'recall beside a reflection', unit: 'ms', value, floor, ratio: value / floor, goal: GOAL },
        { name: 'episodes reflected on meanwhile', unit: 'memories', value: progress.done },
      ];
    } finally {
      await service.stop();
    }
  },
};
