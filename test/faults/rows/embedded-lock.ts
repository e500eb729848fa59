import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fault, figuresOf } from '../fault.ts';
import { checkStored } from '../lab/check.ts';
import { startLoad } from '../lab/load.ts';
import { prepareService } from '../lab/service.ts';
import { tenantOf } from '../lab/tenant.ts';

/** A second process on the folder of the embedded database, and kill -9 of the first, under load. */
export const embeddedLock: Fault = {
  name: 'two processes on one embedded folder',
  holds: 'the second is refused at once, naming the first; a killed one is taken over from; nothing is lost',
  run: async ({ random, rounds }) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-faults-embedded-'));
    const env = { SVC_DATA_DIR: folder };
    const first = await prepareService({ env });
    await first.start();
    const tenant = await tenantOf(folder);
    const client = startLoad({
      targets: [first.url],
      apiKey: tenant.apiKey,
      writers: 4,
      pauseMs: 0,
      seed: random.between(1, 1_000_000_000),
    });
    const problems: string[] = [];
    const moments: number[] = [];
    const times = 2 * rounds;
    for (let round = 0; round < times; round += 1) {
      await client.more(random.between(10, 60));
      const second = await prepareService({ env });
      const refusal = await second.start().then(() => '', String);
      if (!refusal.includes(`in use by process ${first.pid}`))
        problems.push(`a second one: ${refusal || 'started'}`);
      await client.more(10);
      moments.push(Date.now());
      first.kill('SIGKILL');
      await first.ended();
      await first.start();
      await client.more(10);
    }
    const journal = await client.stop();
    const checked = await checkStored({ urls: [first.url], tenant, journal });
    first.kill('SIGTERM');
    await first.ended();
    await rm(folder, { recursive: true });
    const note = `${times} of ${times} second ones refused`;
    return figuresOf({
      times,
      journal,
      checked,
      moments,
      allowed: ['refused', 'reset'],
      ...(problems.length === 0 && { note }),
      problems,
    });
  },
};
