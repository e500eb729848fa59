import { setTimeout } from 'node:timers/promises';
import { type Fault, figuresOf } from '../fault.ts';

const restart = (mode: 'fast' | 'immediate'): Fault => ({
  name: `Postgres restart, ${mode}`,
  holds: '503 with Retry-After while it is down, then every process recovers by itself',
  run: async ({ cluster, random, rounds }) => {
    const { tenant, load, postgres, check } = await cluster();
    const own = await tenant();
    const client = load(own);
    const moments: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await client.more(random.between(50, 150));
      await postgres.stop(mode);
      await setTimeout(random.between(100, 700));
      moments.push(Date.now());
      await postgres.start();
      await client.more(50);
    }
    const journal = await client.stop();
    const checked = await check(own, journal);
    return figuresOf({ times: rounds, journal, checked, moments, allowed: ['503'] });
  },
});

/** Postgres shut down and started again under load. */
export const postgresFast = restart('fast');
/** Postgres crashed and started again under load. */
export const postgresImmediate = restart('immediate');
