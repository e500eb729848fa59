import { setTimeout } from 'node:timers/promises';
import { type Fault, figuresOf } from '../fault.ts';

const STALL_MS = 2_000;

/** Postgres stands still for seconds, as it does when its disk does. */
export const stalledDisk: Fault = {
  name: 'slow disk: Postgres stands still for 2 s',
  holds: 'calls wait or are refused with 503, and all goes on after it',
  run: async ({ cluster, random, rounds }) => {
    const { tenant, load, sql, check } = await cluster();
    const own = await tenant();
    const client = load(own);
    const moments: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await client.more(random.between(30, 80));
      const found = await sql('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
      const pids = found.map(({ pid }) => Number(pid));
      for (const pid of pids) signal(pid, 'SIGSTOP');
      await setTimeout(STALL_MS);
      moments.push(Date.now());
      for (const pid of pids) signal(pid, 'SIGCONT');
      await client.more(50);
    }
    const journal = await client.stop();
    const checked = await check(own, journal);
    return figuresOf({ times: rounds, journal, checked, moments, allowed: ['503'] });
  },
};

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // A connection that ended meanwhile.
  }
}
