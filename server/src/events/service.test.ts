import { createServer } from 'node:http';
import { connect } from '@svc-memory/core/client';
import { routes } from '@svc-memory/core/contract';
import { makeDataFolder } from '@svc-memory/core/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { useServer } from '../../../test/kit/use-server.ts';
import { type Service, startService, useFolder } from '../cli/cli.fixture.ts';

// One story on one real service: each test goes on from where the one before it ended.
const folder = useFolder();
let service: Service;
let apiKey = '';
let cookie = '';
const received: { type: string; id: string }[] = [];
const receiver = useServer(
  createServer(async (request, response) => {
    received.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    response.end();
  }),
);

const hook = () => `${receiver.url}/`;
const start = async () => {
  service = startService({ SVC_DATA_DIR: folder.path, SVC_ALLOW_PRIVATE_WEBHOOKS: 'true' });
  await service.ready();
};
const call = (method: string, path: string, headers: Record<string, string>, body?: object) =>
  fetch(`${service.url()}/api/v1${path}`, {
    method,
    redirect: 'manual',
    headers: { Origin: service.url(), 'Content-Type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

beforeAll(async () => {
  await makeDataFolder(folder.path);
  await start();
  apiKey = /API key +(svc_\w{36})/.exec(service.out())?.[1] ?? '';
  const link = /http\S+\/auth\/local\?token=\S+/.exec(service.out())?.[0] ?? '';
  const signedIn = await fetch(link, { redirect: 'manual' });
  cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
});
afterAll(async () => {
  service.process.kill('SIGKILL');
  await service.ended;
});

test('an API key may not register an endpoint, the human may', async () => {
  const refused = await call(
    'POST',
    '/event-endpoints',
    { Authorization: `Bearer ${apiKey}` },
    { url: hook() },
  );
  expect(refused.status).toBe(403);
  const created = await call('POST', '/event-endpoints', { Cookie: cookie }, { url: hook() });
  const { endpoint, secret } = routes.createEventEndpoint.response.parse(await created.json());
  expect([created.status, endpoint.url]).toEqual([201, hook()]);
  expect(secret).toMatch(/^whsec_/);
  const listed = await (await call('GET', '/event-endpoints', { Cookie: cookie })).text();
  expect(listed).not.toContain('whsec_');
});

test('what the agent stores reaches the endpoint by itself, and a test event too', async () => {
  const memory = connect({ url: service.url(), apiKey });
  await memory.remember({ type: 'working', content: 'tea is in the blue tin' });
  await vi.waitFor(() => expect(received.map(({ type }) => type)).toEqual(['memory.stored']), 10_000);
  const listed = await (await call('GET', '/event-endpoints', { Cookie: cookie })).json();
  const [endpoint] = routes.eventEndpoints.response.parse(listed).endpoints;
  const queued = await call('POST', `/event-endpoints/${endpoint?.id}/test`, { Cookie: cookie }, {});
  expect(queued.status).toBe(202);
  await vi.waitFor(() => expect(received.at(-1)?.type).toBe('endpoint.test'), 10_000);
});

test('an open live stream does not keep the service from stopping', async () => {
  const stream = await call('GET', '/events/stream', { Authorization: `Bearer ${apiKey}` });
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  const stopped = performance.now();
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(performance.now() - stopped).toBeLessThan(8_000);
  await stream.text();
});

test('after a restart the secret still opens: events go on', async () => {
  received.length = 0;
  await start();
  const memory = connect({ url: service.url(), apiKey });
  await memory.remember({ type: 'working', content: 'and the sugar beside it' });
  await vi.waitFor(() => expect(received.map(({ type }) => type)).toEqual(['memory.stored']), 10_000);
});
