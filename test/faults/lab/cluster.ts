import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, createSecretBox, openPostgres, type Plan } from '@svc-memory/core';
import { createTestDatabase, queryPostgres } from '@svc-memory/core/testing';
import { prepareRedisServer, type RedisServer } from '../../../server/src/redis/redis-server.fixture.ts';
import { acknowledgedIn, type Entry } from './journal.ts';
import { type Load, startLoad } from './load.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import type { Random } from './random.ts';
import { prepareService, type Service } from './service.ts';

const SECRET = 'the-processes-of-the-harness-share-this';

/** A tenant of a fault's own. */
export interface Tenant {
  readonly id: string;
  readonly apiKey: string;
}

/** What the service has, compared with what it acknowledged. */
export interface Checked {
  readonly acknowledged: number;
  readonly lost: number;
  readonly duplicates: number;
  /** What must never be: memories without index, event or owner, and the like. */
  readonly problems: readonly string[];
}

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
}

/** Starts two processes that answer calls and one worker. */
export async function startCluster(random: Random): Promise<Cluster> {
  const journals = await mkdtemp(join(tmpdir(), 'svc-faults-'));
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

  const withEngine = async <T>(work: (engine: ReturnType<typeof createEngine>) => Promise<T>): Promise<T> => {
    const engine = createEngine({
      database: await openPostgres({ url: databaseUrl, poolSize: 1 }),
      webhooks: { secrets: createSecretBox(SECRET), allowPrivate: true },
    });
    return work(engine).finally(() => engine.close());
  };
  let loads = 0;

  return {
    postgres,
    redis,
    databaseUrl,
    env,
    apis,
    worker,
    tenant: (plan = 'local') =>
      withEngine(async (engine) => {
        const { id } = await engine.tenants.create({ displayName: 'Faults', plan });
        const { secret } = await engine.apiKeys.create(id, { name: 'faults', scope: 'full' });
        return { id, apiKey: secret };
      }),
    subscribe: ({ id }, url) =>
      withEngine(async (engine) => {
        const human = engine.agent(id, { source: 'human', credentialId: null });
        await human.createEventEndpoint({ url, events: ['memory.stored'] });
      }),
    load: ({ apiKey }, { targets = apis.map(({ url }) => url), writers = 8, pauseMs = 0 } = {}) => {
      loads += 1;
      return startLoad({
        name: `c${loads}`,
        targets,
        apiKey,
        journal: join(journals, `${randomUUID()}.jsonl`),
        writers,
        pauseMs,
        timeoutMs: 30_000,
        seed: random.between(1, 1_000_000_000),
      });
    },
    sql: (statement) => queryPostgres(databaseUrl, statement),
    check: async (tenant, journal) => {
      const expected = acknowledgedIn(journal);
      const sent = new Set(journal.flatMap((entry) => (entry.kind === 'failed' ? [] : entry.hashes)));
      const problems: string[] = [];
      let [lost, duplicates] = [0, 0];
      for (const { url } of apis) {
        const stored = await readAll(url, tenant);
        const missing = [...expected].filter(([id, hash]) => stored.get(id) !== hash);
        lost = Math.max(lost, missing.length);
        duplicates = Math.max(duplicates, stored.size - new Set(stored.values()).size);
        const foreign = [...stored.values()].filter((hash) => !sent.has(hash)).length;
        if (foreign > 0) problems.push(`${foreign} memories that nobody sent`);
      }
      problems.push(...(await halfWritten(databaseUrl, tenant)));
      return { acknowledged: expected.size, lost, duplicates, problems };
    },
    close: async () => {
      for (const one of [...apis, worker]) one.kill('SIGKILL');
      await Promise.all([...apis, worker].map((one) => one.ended()));
      await redis.kill();
      await postgres.remove();
      await rm(journals, { recursive: true, force: true });
    },
  };
}

/** Hashes of all of a tenant's memories by id, as one process answers them. */
export async function readAll(url: string, { apiKey }: Tenant): Promise<Map<string, string>> {
  const answer = await fetch(`${url}/api/v1/export`, { headers: { Authorization: `Bearer ${apiKey}` } });
  if (answer.status !== 200) throw new Error(`the export was answered ${answer.status}`);
  const { export: document } = (await answer.json()) as {
    export: { memories: Record<string, { id: string; content: string }[]> };
  };
  return new Map(
    Object.values(document.memories)
      .flat()
      .map(({ id, content }) => [id, createHash('sha256').update(content).digest('hex')]),
  );
}

/** A memory, its index and its event are one transaction: none is there without the others. */
async function halfWritten(databaseUrl: string, { id }: Tenant): Promise<string[]> {
  const [counts = {}] = await queryPostgres(
    databaseUrl,
    `SELECT
       (SELECT count(*)::int FROM memories m WHERE m.tenant_id = '${id}' AND NOT EXISTS
          (SELECT FROM memory_terms t WHERE t.tenant_id = m.tenant_id AND t.memory_id = m.id)) AS "memories without index",
       (SELECT count(*)::int FROM memories m WHERE m.tenant_id = '${id}' AND NOT EXISTS
          (SELECT FROM events e WHERE e.tenant_id = m.tenant_id AND e.type = 'memory.stored'
             AND e.data->>'memory_id' = m.id::text)) AS "memories without event",
       (SELECT count(*)::int FROM events e WHERE e.tenant_id = '${id}' AND e.type = 'memory.stored' AND NOT EXISTS
          (SELECT FROM memories m WHERE m.tenant_id = e.tenant_id AND m.id::text = e.data->>'memory_id')) AS "events without memory"`,
  );
  return Object.entries(counts)
    .filter(([, count]) => count !== 0)
    .map(([what, count]) => `${count} ${what}`);
}
