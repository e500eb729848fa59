import { readFile } from 'node:fs/promises';
import type { AgentMemory } from '@svc-memory/core/contract';
import { queryPostgres, type TestDatabase } from '@svc-memory/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endServices, startService } from '../../server/src/cli/cli.fixture.ts';
import { emptyDatabase, impatientClient, signUp } from './postgres.fixture.ts';

const JOURNAL = new URL('../../core/migrations/meta/_journal.json', import.meta.url);
const UPSERTS = 40;

let database: TestDatabase;
let one: AgentMemory;
let other: AgentMemory;

beforeAll(async () => {
  database = await emptyDatabase();
  const env = { SVC_DATABASE_URL: database.url, SVC_RATE_LIMIT: '0', SVC_LOG_LEVEL: 'warn' };
  const services = [startService(env), startService(env)];
  await Promise.all(services.map((service) => service.ready()));
  const apiKey = await signUp(database.url);
  const clients = services.map((service) => impatientClient(service.url(), apiKey));
  if (!clients[0] || !clients[1]) throw new Error('two services were started');
  [one, other] = [clients[0], clients[1]];
});
afterAll(async () => {
  await endServices();
  await database.drop();
});

it('two services that start at once on an empty database migrate it once', async () => {
  const { entries }: { entries: unknown[] } = JSON.parse(await readFile(JOURNAL, 'utf8'));
  const applied = await queryPostgres(database.url, 'SELECT hash FROM drizzle.__drizzle_migrations');
  expect(applied).toHaveLength(entries.length);
});

it('what one service stored, the other finds', async () => {
  await one.remember({ type: 'semantic', content: 'The lighthouse keeper is called Brana.' });
  await other.remember({ type: 'semantic', content: 'The ferry sails at nine.' });
  const [byOther, byOne] = [
    await other.recall({ query: 'lighthouse keeper' }),
    await one.recall({ query: 'when does the ferry sail' }),
  ];
  expect(byOther.results[0]?.content).toBe('The lighthouse keeper is called Brana.');
  expect(byOne.results[0]?.content).toBe('The ferry sails at nine.');
});

it('concurrent upserts of one key through both services give one memory with every version', async () => {
  const answers = await Promise.all(
    Array.from({ length: UPSERTS }, (_, place) =>
      (place % 2 ? one : other).remember({ type: 'working', key: 'shared', content: `version ${place}` }),
    ),
  );
  expect(new Set(answers.map(({ memory }) => memory.id)).size).toBe(1);
  expect(answers.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
  const { memories } = await one.query({ key: 'shared' });
  expect(memories.map(({ version }) => version)).toEqual([UPSERTS]);
});

it('one idempotency key used through both services at once writes once', async () => {
  const input = { type: 'episodic', content: 'The bell rang once.' } as const;
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, place) =>
      (place % 2 ? one : other).remember(input, { idempotencyKey: 'bell' }),
    ),
  );
  expect(new Set(answers.map(({ memory }) => memory.id)).size).toBe(1);
  const { results } = await other.recall({ query: 'bell rang', threshold: 0, limit: 100 });
  expect(results.filter(({ content }) => content === input.content)).toHaveLength(1);
});
