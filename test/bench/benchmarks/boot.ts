import type { Benchmark } from '../benchmark.ts';
import { interleave, median } from '../measure.ts';

export const boot: Benchmark = {
  name: 'boot',
  description: 'GET /memories/boot as a preview and for real, with all memories in the store.',
  run: async (bench) => {
    const world = await bench.world();
    const service = await world.start();
    try {
      bench.progress('boot');
      const times = await interleave(
        {
          preview: () => service.call('GET', '/api/v1/memories/boot?preview=true'),
          real: () => service.call('GET', '/api/v1/memories/boot'),
        },
        bench.effort({ rounds: 5, calls: 20 }),
      );
      return [
        { name: 'boot preview over REST', unit: 'ms', value: median(times.preview) },
        { name: 'boot over REST', unit: 'ms', value: median(times.real) },
      ];
    } finally {
      await service.stop();
    }
  },
};
