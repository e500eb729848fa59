import type { Benchmark } from '../benchmark.ts';
import { median } from '../measure.ts';

const GOAL_SECONDS = 5;

export const start: Benchmark = {
  name: 'start',
  description:
    'From starting the service on existing data to its first recall, and the memory its process holds: empty, and after recalls over all memories.',
  run: async (bench) => {
    const world = await bench.world();
    const { rounds } = bench.effort({ rounds: 5, calls: 1 });
    const seconds: number[] = [];
    const full: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bench.progress(`start: ${round + 1} of ${rounds}`);
      const began = performance.now();
      const service = await world.start();
      await service.call('POST', '/api/v1/memories/recall', { query: 'the red garden' });
      seconds.push((performance.now() - began) / 1_000);
      for (let call = 0; call < 50; call += 1) {
        await service.call('POST', '/api/v1/memories/recall', { query: `the red garden of ${call}` });
      }
      full.push(await service.residentMemory());
      await service.stop();
    }
    const empty = await bench.emptyWorld();
    const service = await empty.start();
    await service.call('POST', '/api/v1/memories/recall', { query: 'the red garden' });
    const emptyMemory = await service.residentMemory();
    await service.stop();
    await empty.remove();
    return [
      { name: 'start to first recall', unit: 's', value: median(seconds), goal: GOAL_SECONDS },
      { name: 'process memory, empty', unit: 'MiB', value: emptyMemory },
      { name: 'process memory, in use', unit: 'MiB', value: median(full) },
    ];
  },
};
