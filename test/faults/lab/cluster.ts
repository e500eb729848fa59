import type { Plan } from '@svc-memory/core';
import { createTestDatabase, queryPostgres } from '@svc-memory/core/testing';
import { prepareRedisServer, type RedisServer } from '../../../server/src/redis/redis-server.fixture.ts';
import { type Checked, checkStored } from './check.ts';
import type { Entry } from './journal.ts';
import { type Load, startLoad } from './load.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { prepareService, type Service } from './service.ts';
import { newTenant, SECRET, subscribe, type Tenant } from './tenant.ts';

/** A service of several processes on a Postgres and a Redis of its own. */
export interface Cluster {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly databaseUrl: string;
  /** Settings that all its processes share. */
  readonly env: Readonly<Record<string, string>>;
  readonly apis: readonly [Service, Service];
  readonly worker: Service;
  tenant(plan?: Plan): Promise<Tenant>;
  /** Registers a webhook for every memory stored. */
  subscribe(tenant: Tenant, url: string): Promise<void>;
  load(tenant: Tenant, options?: LoadOptions): Load;
  sql(statement: string): Promise<Record<string, unknown>[]>;
  /** Reads everything back, through both processes that answer calls. */
  check(tenant: Tenant, journal: readonly Entry[]): Promise<Checked>;
  close(): Promise<void>;
}

/** How a client writes. */
interface LoadOptions {
  readonly targets?: readonly string[];
  readonly writers?: number;
  readonly pauseMs?: number;
  readonly seed?: number;
}

/** Starts two processes that answer calls and one worker. */
export async function startCluster(): Promise<Cluster> {
  const [postgres, redis] = await Promise.all([startPostgresServer(), prepareRedisServer()]);
  await redis.start();
  const { url: databaseUrl } = await createTestDatabase(postgres.url);
  const env = {
    SVC_DATABASE_URL: databaseUrl,
    SVC_REDIS_URL: redis.url,
    SVC_SECRET: SECRET,
    SVC_ALLOW_PRIVATE_WEBHOOKS: 'true',
  };
  const apis = [
    await prepareService({ args: ['--role', 'api'], env }),
    await prepareService({ args: ['--role', 'api'], env }),
  ] as const;
  const worker = await prepareService({ args: ['--role', 'worker'], env });
  await Promise.all([...apis, worker].map((one) => one.start()));

  return {
    postgres,
    redis,
    databaseUrl,
    env,
    apis,
    worker,
    tenant: (plan) => newTenant(databaseUrl, plan),
    subscribe: (tenant, url) => subscribe(databaseUrl, tenant, url),
    load: ({ apiKey }, { targets = apis.map(({ url }) => url), writers = 8, pauseMs = 0, seed = 1 } = {}) =>
      startLoad({ targets, apiKey, writers, pauseMs, seed }),
    sql: (statement) => queryPostgres(databaseUrl, statement),
    check: (tenant, journal) =>
      checkStored({ urls: apis.map(({ url }) => url), databaseUrl, tenant, journal }),
    close: async () => {
      for (const one of [...apis, worker]) one.kill('SIGKILL');
      await Promise.all([...apis, worker].map((one) => one.ended()));
      await redis.kill();
      await postgres.remove();
    },
  };
}
