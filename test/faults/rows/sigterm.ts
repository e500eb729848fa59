import { type Fault, figuresOf } from '../fault.ts';

/** SIGTERM of a process that answers calls, under load, again and again. */
export const sigterm: Fault = {
  name: 'SIGTERM under load',
  holds: 'no request is dropped: each is answered or refused before it is sent; exit code 0 within 10 s',
  timed: true,
  run: async ({ cluster, random, rounds }) => {
    const { tenant, load, apis, check } = await cluster();
    const times = 4 * rounds;
    const own = await tenant();
    const client = load(own, { writers: 16 });
    const moments: number[] = [];
    const problems: string[] = [];
    let slowest = 0;
    for (let round = 0; round < times; round += 1) {
      await client.more(random.between(20, 100));
      const victim = apis[round % 2 === 0 ? 0 : 1];
      const began = Date.now();
      moments.push(began);
      victim.kill('SIGTERM');
      const code = await victim.ended();
      slowest = Math.max(slowest, Date.now() - began);
      if (code !== 0) problems.push(`exit code ${code}`);
      await victim.start();
    }
    if (slowest > 10_000) problems.push(`an end took ${slowest} ms`);
    await client.more(50);
    const journal = await client.stop();
    const checked = await check(own, journal);
    const note = `slowest end ${slowest} ms`;
    return figuresOf({ times, journal, checked, moments, allowed: ['refused'], note, problems });
  },
};
