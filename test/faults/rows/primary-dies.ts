import { freePort } from '../../kit/listen.ts';
import { type Fault, figuresOf } from '../fault.ts';
import { checkStored } from '../lab/check.ts';
import { recoveryAfter } from '../lab/journal.ts';
import { startLoad } from '../lab/load.ts';
import { addStandby, type PostgresServer, startPostgresServer } from '../lab/postgres-server.ts';
import { prepareService } from '../lab/service.ts';
import { newTenant, SECRET } from '../lab/tenant.ts';

const RECOVERED_WITHIN_MS = 10_000;

/** The primary of a Postgres dies under load, and its synchronous standby takes its place. */
export const primaryDies: Fault = {
  name: 'primary dies, standby is promoted',
  holds: `nothing acknowledged is lost; the service, given both hosts, writes to the new primary within ${RECOVERED_WITHIN_MS / 1_000} s`,
  run: async ({ random, rounds }) => {
    let primary: PostgresServer = await startPostgresServer();
    let freedPort = await freePort();
    const hosts = [Number(new URL(primary.url).port), freedPort].map((port) => `127.0.0.1:${port}`);
    const env = { SVC_DATABASE_URL: `postgres://svc@${hosts.join()}/postgres`, SVC_SECRET: SECRET };
    const service = await prepareService({ env });
    await service.start();
    const tenant = await newTenant(env.SVC_DATABASE_URL);
    const client = startLoad({
      targets: [service.url],
      apiKey: tenant.apiKey,
      writers: 8,
      pauseMs: 0,
      seed: random.between(1, 1_000_000_000),
    });
    const moments: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const standby = await addStandby(primary, freedPort);
      await client.more(random.between(30, 80));
      await primary.stop('immediate');
      moments.push(Date.now());
      await standby.promote();
      await client.more(50);
      freedPort = Number(new URL(primary.url).port);
      await primary.remove();
      primary = standby;
    }
    const journal = await client.stop();
    const checked = await checkStored({ urls: [service.url], databaseUrl: primary.url, tenant, journal });
    service.kill('SIGTERM');
    await service.ended();
    await primary.remove();
    const slow = moments
      .map((moment) => recoveryAfter(journal, moment))
      .filter((ms) => ms > RECOVERED_WITHIN_MS)
      .map((ms) => `a reconnection took ${ms} ms`);
    return figuresOf({ times: rounds, journal, checked, moments, allowed: ['503'], problems: slow });
  },
};
