import type { AgentMemory } from '@svc-memory/core/contract';
import { queryPostgres, type TestDatabase } from '@svc-memory/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endServices, type Service, startService } from '../../server/src/cli/cli.fixture.ts';
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts';
import { emptyDatabase, patientClient, signUp } from './postgres.fixture.ts';

// Fewer than the services' own pools together, and than the writers.
const SERVER_CONNECTIONS = 4;

let database: TestDatabase;
let pgbouncer: PgBouncer;
let services: Service[];
let agents: AgentMemory[];
let env: Record<string, string>;

beforeAll(async () => {
  database = await emptyDatabase();
  pgbouncer = await startPgBouncer(database.url, SERVER_CONNECTIONS);
  env = {
    SVC_DATABASE_URL: pgbouncer.through(database.url),
    SVC_RATE_LIMIT: '0',
    SVC_LOG_LEVEL: 'warn',
  };
  services = Array.from({ length: 4 }, () => startService(env));
  await Promise.all(services.map((service) => service.ready()));
  const apiKey = await signUp(pgbouncer.through(database.url));
  agents = services.map((service) => patientClient(service.url(), apiKey));
});
afterAll(async () => {
  await endServices();
  await pgbouncer.stop();
  await database.drop();
});

it('services that start at once behind PgBouncer migrate once, and leave no lock behind', async () => {
  const locks = await queryPostgres(
    database.url,
    `SELECT pg_locks.* FROM pg_locks JOIN pg_database ON pg_database.oid = database
     WHERE locktype = 'advisory' AND datname = current_database()`,
  );
  expect(locks).toEqual([]);
  const later = startService(env);
  await later.ready();
  later.process.kill('SIGTERM');
  expect(await later.ended).toBe(0);
});

it('tenants that write at once over few shared connections keep to themselves, and lose nothing', async () => {
  const tenants = await Promise.all(Array.from({ length: 3 }, () => signUp(env.SVC_DATABASE_URL ?? '')));
  const agentsOf = tenants.map((apiKey) => services.map((service) => patientClient(service.url(), apiKey)));
  const contentOf = (tenant: number, n: number) => `Tenant ${tenant} hung lamp ${n} in the hall.`;
  const numbers = Array.from({ length: 60 }, (_, n) => n);
  await Promise.all(
    agentsOf.flatMap((own, tenant) =>
      numbers.map((n) => own[n % own.length]?.remember({ type: 'semantic', content: contentOf(tenant, n) })),
    ),
  );
  for (const [tenant, [one]] of agentsOf.entries()) {
    const stored = (await one?.export())?.export.memories.semantic.map(({ content }) => content);
    expect(stored?.sort()).toEqual(numbers.map((n) => contentOf(tenant, n)).sort());
    const { results } = (await one?.recall({ query: 'who hung lamp 7?', limit: 100, threshold: 0 })) ?? {};
    expect(results?.length).toBeGreaterThan(0);
    expect(results?.filter(({ content }) => !content.startsWith(`Tenant ${tenant} `))).toEqual([]);
  }
});

it('concurrent upserts of one key, and replays of one idempotency key, write once', async () => {
  const [first] = agents;
  const upserts = await Promise.all(
    agents.flatMap((agent, place) =>
      Array.from({ length: 8 }, (_, n) =>
        agent.remember({ type: 'working', key: 'shared', content: `version ${place} ${n}` }),
      ),
    ),
  );
  expect(new Set(upserts.map(({ memory }) => memory.id)).size).toBe(1);
  expect((await first?.query({ key: 'shared' }))?.memories[0]?.version).toBe(upserts.length);
  const replays = await Promise.all(
    agents.map((agent) =>
      agent.remember({ type: 'episodic', content: 'The bell rang once.' }, { idempotencyKey: 'bell' }),
    ),
  );
  expect(new Set(replays.map(({ memory }) => memory.id)).size).toBe(1);
});
