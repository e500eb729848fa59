import { type Fault, figuresOf } from '../fault.ts';

/** Every connection of the pools is stuck behind a lock, while more and more calls come. */
export const poolExhausted: Fault = {
  name: 'pool exhausted',
  holds: '503 with Retry-After for those who waited in vain, then all goes on',
  run: async ({ cluster, rounds }) => {
    const { tenant, load, sql, check } = await cluster();
    const own = await tenant();
    // New memories of one tenant wait for each other on one connection; batches, a fifth of all, take one each.
    const client = load(own, { writers: 200 });
    const moments: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await client.more(50);
      await sql('BEGIN; LOCK TABLE memories IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(11.5); COMMIT');
      moments.push(Date.now());
      await client.more(50);
    }
    const journal = await client.stop();
    const checked = await check(own, journal);
    const refused = journal.some((entry) => entry.kind === 'failed' && entry.code === '503');
    return figuresOf({
      times: rounds,
      journal,
      checked,
      moments,
      allowed: ['503'],
      problems: refused ? [] : ['nothing was answered 503: the pool was not exhausted'],
    });
  },
};
