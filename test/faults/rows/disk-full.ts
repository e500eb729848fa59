import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Fault, figuresOf } from '../fault.ts';
import { checkStored } from '../lab/check.ts';
import { startLoad } from '../lab/load.ts';
import { startPostgresServer } from '../lab/postgres-server.ts';
import { prepareService } from '../lab/service.ts';
import { makeSmallDisk, noSmallDisk } from '../lab/small-disk.ts';
import { newTenant, SECRET, tenantOf } from '../lab/tenant.ts';

const FULL_MS = 4_000;

/** The disk of Postgres fills up under load, and is freed again. */
export const diskFull: Fault = {
  name: 'disk full, Postgres',
  holds: 'writes are answered 503 and none of them acknowledged; once there is room again all goes on',
  missing: noSmallDisk,
  run: async ({ random, rounds }) => {
    const disk = await makeSmallDisk(320);
    const postgres = await startPostgresServer(disk.folder);
    const service = await prepareService({ env: { SVC_DATABASE_URL: postgres.url, SVC_SECRET: SECRET } });
    await service.start();
    const tenant = await newTenant(postgres.url);
    const client = startLoad({
      targets: [service.url],
      apiKey: tenant.apiKey,
      writers: 8,
      pauseMs: 0,
      seed: random.between(1, 1_000_000_000),
    });
    const moments: number[] = [];
    let crashes = 0;
    for (let round = 0; round < rounds; round += 1) {
      await client.more(random.between(30, 80));
      await disk.fill();
      await setTimeout(FULL_MS);
      await disk.free();
      moments.push(Date.now());
      // Without room for its log Postgres shuts down; whoever looks after it starts it again.
      await postgres.start().then(
        () => {
          crashes += 1;
        },
        () => {},
      );
      await client.more(50);
    }
    const journal = await client.stop();
    const checked = await checkStored({ urls: [service.url], databaseUrl: postgres.url, tenant, journal });
    service.kill('SIGTERM');
    await service.ended();
    await postgres.remove().catch(() => {});
    await disk.remove();
    return figuresOf({
      times: rounds,
      journal,
      checked,
      moments,
      allowed: ['503'],
      note: `Postgres itself shut down ${crashes} times`,
    });
  },
};

/** The disk of the embedded database fills up under load, and is freed again. */
export const diskFullEmbedded = embeddedOn('on');
/** The same where writes do not wait for the disk. */
export const diskFullUnsynced = embeddedOn('off');

function embeddedOn(sync: 'on' | 'off'): Fault {
  return {
    name: `disk full, embedded database${sync === 'off' ? ' without sync' : ''}`,
    holds: 'no write is acknowledged that is not there; after a restart with room again all goes on',
    missing: noSmallDisk,
    run: async ({ random, rounds }) => {
      const disk = await makeSmallDisk(160);
      const folder = join(disk.folder, 'data');
      const service = await prepareService({ env: { SVC_DATA_DIR: folder, SVC_EMBEDDED_SYNC: sync } });
      await service.start();
      const tenant = await tenantOf(folder);
      const client = startLoad({
        targets: [service.url],
        apiKey: tenant.apiKey,
        writers: 4,
        pauseMs: 10,
        seed: random.between(1, 1_000_000_000),
      });
      const moments: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await client.more(random.between(20, 50));
        await disk.fill();
        await setTimeout(FULL_MS);
        await disk.free();
        moments.push(Date.now());
        service.kill('SIGKILL');
        await service.ended();
        await service.start();
        await client.more(30);
      }
      const journal = await client.stop();
      const checked = await checkStored({ urls: [service.url], tenant, journal });
      service.kill('SIGTERM');
      await service.ended();
      await disk.remove();
      return figuresOf({ times: rounds, journal, checked, moments, allowed: ['503', 'refused', 'reset'] });
    },
  };
}
