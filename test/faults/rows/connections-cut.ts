import { type Fault, figuresOf } from '../fault.ts';

/** All database connections ended from outside, under load. */
export const connectionsCut: Fault = {
  name: 'database connections cut',
  holds: '503 at most for what was in progress; connections are replaced',
  run: async ({ cluster, random, rounds }) => {
    const { tenant, load, sql, check } = await cluster();
    const own = await tenant();
    const client = load(own);
    const moments: number[] = [];
    const times = 5 * rounds;
    for (let round = 0; round < times; round += 1) {
      await client.more(random.between(20, 100));
      moments.push(Date.now());
      await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    }
    await client.more(50);
    const journal = await client.stop();
    const checked = await check(own, journal);
    return figuresOf({ times, journal, checked, moments, allowed: ['503'] });
  },
};
