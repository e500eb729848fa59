import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, queryPostgres } from '@svc-memory/core/testing';
import { type Fault, figuresOf } from '../fault.ts';
import { checkStored } from '../lab/check.ts';
import { eventually, storedEvents } from '../lab/events.ts';
import { startLoad } from '../lab/load.ts';
import { startReceiver } from '../lab/receiver.ts';
import { prepareService, type Service } from '../lab/service.ts';
import { newTenant, SECRET, subscribe } from '../lab/tenant.ts';

// Its folder is named after the processor.
const LIBRARY = (existsSync('/usr/lib') ? readdirSync('/usr/lib') : [])
  .map((folder) => join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1'))
  .find((file) => existsSync(file));
// Ends ahead: what was written while the clock was ahead is due by then.
const STEPS = ['+1h', '-1h', '-1d', '+2h'];

/** The clock of a whole service jumps forth and back under load. */
export const clockSteps: Fault = {
  name: 'clock steps of hours and a day',
  holds: 'calls are answered as before, nothing is lost, background work goes on after each step',
  missing: () => (LIBRARY ? undefined : 'libfaketime is not installed (Debian package faketime)'),
  run: async ({ cluster, random, rounds }) => {
    const { postgres } = await cluster();
    const { url: databaseUrl, drop } = await createTestDatabase(postgres.url);
    const folder = await mkdtemp(join(tmpdir(), 'svc-faults-clock-'));
    const clock = join(folder, 'clock');
    await writeFile(clock, '+0h');
    const service = await prepareService({
      env: {
        SVC_DATABASE_URL: databaseUrl,
        SVC_SECRET: SECRET,
        SVC_ALLOW_PRIVATE_WEBHOOKS: 'true',
        LD_PRELOAD: LIBRARY ?? '',
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    });
    await service.start();
    const tenant = await newTenant(databaseUrl);
    const receiver = await startReceiver();
    await subscribe(databaseUrl, tenant, receiver.url);
    const client = startLoad({
      targets: [service.url],
      apiKey: tenant.apiKey,
      writers: 4,
      pauseMs: 0,
      seed: random.between(1, 1_000_000_000),
    });
    const problems: string[] = [];
    const moments: number[] = [];
    for (const step of Array.from({ length: rounds }, () => STEPS).flat()) {
      await client.more(random.between(10, 30));
      const before = await clockOf(service);
      moments.push(Date.now());
      await writeFile(clock, step);
      await client.more(20);
      if (Math.abs((await clockOf(service)) - before) < 1_800_000)
        problems.push(`the step ${step} was not taken`);
    }
    const journal = await client.stop();
    const sql = (statement: string) => queryPostgres(databaseUrl, statement);
    const events = await storedEvents({ sql }, tenant);
    const missing = () => events.filter((id) => !receiver.seen.has(id)).length;
    await eventually(() => missing() === 0, 60_000).catch(() => {});
    const checked = await checkStored({ urls: [service.url], databaseUrl, tenant, journal });
    service.kill('SIGTERM');
    const code = await service.ended();
    if (code !== 0) problems.push(`exit code ${code}`);
    await receiver.close();
    await drop();
    await rm(folder, { recursive: true });
    return figuresOf({
      times: moments.length,
      journal,
      checked: { ...checked, lost: checked.lost + missing() },
      moments,
      allowed: [],
      note: `${events.length} events, all delivered but ${missing()}`,
      problems,
    });
  },
};

async function clockOf({ url }: Service): Promise<number> {
  const { timestamp } = (await (await fetch(`${url}/health`)).json()) as { timestamp: string };
  return Date.parse(timestamp);
}
