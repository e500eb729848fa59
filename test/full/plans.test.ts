import { connect } from '@svc-memory/core/client';
import { queryPostgres, type TestDatabase } from '@svc-memory/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endServices, type Service, startService, svc } from '../../server/src/cli/cli.fixture.ts';
import { emptyDatabase } from './postgres.fixture.ts';

let database: TestDatabase;
let service: Service;
const env = () => ({ SVC_DATABASE_URL: database.url, SVC_SECRET: 'a-secret-of-more-than-32-characters' });

beforeAll(async () => {
  database = await emptyDatabase();
  service = startService({ ...env(), SVC_SIGNUP_PLAN: 'trial', SVC_LOG_LEVEL: 'warn' });
  await service.ready();
});
afterAll(async () => {
  await endServices();
  await database.drop();
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${service.url()}/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: service.url(), ...headers },
    body: JSON.stringify(body),
  });

it('a command on the database moves an account whose trial has ended, and the running process lets it write', async () => {
  const signedUp = await post('/auth/signup', {
    email: 'maya@example.com',
    password: 'correct horse battery',
    display_name: 'Maya',
  });
  const { tenant, api_key: apiKey } = (await signedUp.json()) as { tenant: { id: string }; api_key: string };
  const memory = connect({ url: service.url(), apiKey, retries: 0 });
  const write = (content: string) => memory.remember({ type: 'semantic', content });
  await write('The first note.');
  await queryPostgres(
    database.url,
    `UPDATE tenants SET trial_expires_at = now() - interval '1 minute' WHERE tenant_id = '${tenant.id}'`,
  );
  await expect(write('The second note.')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await svc('tenants plan Maya standard', env())).toMatchObject({ code: 0 });
  await write('The third note.');
});

it('an agent that a command made is given to a human who is signed in', async () => {
  const { out: key } = await svc('keys create --new-tenant Bot', env());
  const browser = await post('/auth/login', {
    email: 'maya@example.com',
    password: 'correct horse battery',
  });
  const cookie = browser.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
  const { tenant } = await connect({ url: service.url(), apiKey: key.trim() }).status();
  const ask = () =>
    fetch(`${service.url()}/api/v1/event-endpoints`, {
      headers: { Cookie: cookie, 'X-Svc-Tenant': tenant.id },
    });
  expect((await ask()).status).toBe(404);
  expect((await svc('tenants give Bot maya@example.com', env())).code).toBe(1);
  expect((await svc('tenants give Bot maya@example.com --unconfirmed', env())).code).toBe(0);
  expect((await ask()).status).toBe(200);
  expect((await svc('audit verify', env())).code).toBe(0);
});
