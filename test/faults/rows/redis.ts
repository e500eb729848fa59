import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Fault, figuresOf } from '../fault.ts';
import type { Cluster } from '../lab/cluster.ts';
import { eventually, storedEvents } from '../lab/events.ts';
import { startReceiver } from '../lab/receiver.ts';

const run = promisify(execFile);

/** Makes something of Redis under load, and waits until every event reached its endpoint all the same. */
const redisFault = (name: string, holds: string, make: (cluster: Cluster) => Promise<void>): Fault => ({
  name,
  holds,
  run: async ({ cluster: shared, random, rounds }) => {
    const cluster = await shared();
    const { tenant, subscribe, load, check } = cluster;
    const own = await tenant();
    const receiver = await startReceiver();
    await subscribe(own, receiver.url);
    const client = load(own, { writers: 4 });
    const moments: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await client.more(random.between(20, 60));
      moments.push(Date.now());
      await make(cluster);
      await client.more(40);
    }
    const journal = await client.stop();
    const ended = Date.now();
    const events = await storedEvents(cluster, own);
    const missing = () => events.filter((id) => !receiver.seen.has(id)).length;
    await eventually(() => missing() === 0, 90_000).catch(() => {});
    const drained = Date.now() - ended;
    await receiver.close();
    const checked = await check(own, journal);
    return figuresOf({
      times: rounds,
      journal,
      checked: { ...checked, lost: checked.lost + missing() },
      moments,
      allowed: [],
      note: `${events.length} events, drained in ${drained} ms`,
    });
  },
});

const cli = ({ redis }: Cluster, ...args: string[]) =>
  run('redis-cli', ['-p', new URL(redis.url).port, ...args]);

export const redisKilled = redisFault(
  'Redis killed and started empty',
  'writes go on, no event is lost: workers sweep, and put the schedule back',
  async ({ redis }) => {
    await redis.kill();
    await redis.start();
  },
);

export const redisFlushed = redisFault('Redis flushed', 'writes go on, no event is lost', async (cluster) => {
  await cli(cluster, 'FLUSHALL');
});

export const redisFull = redisFault(
  'Redis full',
  'writes go on, no event is lost, while Redis refuses every write',
  async (cluster) => {
    await cli(cluster, 'CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    await cli(cluster, 'CONFIG', 'SET', 'maxmemory', '1');
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await cli(cluster, 'CONFIG', 'SET', 'maxmemory', '0');
  },
);
