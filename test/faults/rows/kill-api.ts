import { type Fault, figuresOf } from '../fault.ts';

/** kill -9 of a process that answers calls, under load, again and again. */
export const killApi: Fault = {
  name: 'kill -9 of an api process',
  holds: 'acknowledged writes survive, each with its index and event or not at all',
  run: async ({ cluster, random, rounds }) => {
    const { tenant, load, apis, check } = await cluster();
    const times = 2 * rounds;
    const own = await tenant();
    const client = load(own);
    const moments: number[] = [];
    for (let round = 0; round < times; round += 1) {
      await client.more(random.between(20, 150));
      const victim = apis[round % 2 === 0 ? 0 : 1];
      moments.push(Date.now());
      victim.kill('SIGKILL');
      await victim.ended();
      await victim.start();
    }
    await client.more(50);
    const journal = await client.stop();
    const checked = await check(own, journal);
    return figuresOf({ times, journal, checked, moments, allowed: ['refused', 'reset'] });
  },
};
