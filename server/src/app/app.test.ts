import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import supertest from 'supertest';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../logs/logger.ts';
import { caller, exchange, serving, useApp } from './app.fixture.ts';
import { createApp } from './app.ts';

const test = useApp({ settings: { version: '1.2.3' } });
const CANARY = 'canary-7f3a';
let bearer: string;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  ({ bearer } = await test.signIn());
  call = caller(test.app, bearer);
});
afterEach(() => vi.restoreAllMocks());

const appWith = (settings: Parameters<typeof createApp>[0]['settings'], now?: () => number) =>
  createApp({
    engine: test.kit.engine,
    logger: createLogger({ level: 'silent' }),
    ...(settings ? { settings } : {}),
    ...(now ? { now } : {}),
  });

describe('health and readiness', () => {
  it.each(['/health', '/api/v1/health'])('%s needs no key and says what runs', async (path) => {
    const { body } = await supertest(test.app).get(path).expect(200);
    expect(body).toEqual({
      success: true,
      status: 'ok',
      timestamp: expect.stringMatching(/^\d{4}-.+\.\d{3}Z$/),
      version: '1.2.3',
      database: test.kit.engine.database.kind,
    });
  });

  it.each(['/ready', '/api/v1/ready'])('%s fails while the database is away, and recovers', async (path) => {
    await supertest(test.app).get(path).expect(200);
    vi.spyOn(test.kit.engine.database, 'ping').mockRejectedValueOnce(new Error('connection refused'));
    const { body } = await supertest(test.app).get(path).expect(503).expect('Retry-After', '1');
    expect(body).toMatchObject({ success: false, error: { code: 'UNAVAILABLE' } });
    await supertest(test.app).get(path).expect(200);
  });

  it('/ points at the documentation', async () => {
    const { body } = await supertest(test.app).get('/').expect(200);
    await supertest(test.app).get(body.docs).expect(200).expect('Content-Type', /html/);
    await supertest(test.app).get(body.openapi).expect(200).expect('Content-Type', /json/);
  });
});

describe('metrics', () => {
  it('count by route template, so that no client can add series', async () => {
    for (let index = 0; index < 20; index += 1) await call('get', `/memories/${index}`);
    for (let index = 0; index < 20; index += 1) await supertest(test.app).get(`/${CANARY}-${index}`);
    const { text } = await supertest(test.app).get('/metrics').expect(200);
    expect(text).toContain(
      'svc_http_request_duration_seconds_count{method="GET",route="/api/v1/memories/{id}",status="404"} 20',
    );
    expect(text).toContain(
      'svc_http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 20',
    );
    expect(text).toContain('svc_database_up 1');
    expect(text).toContain(`svc_build_info{version="1.2.3",database="${test.kit.engine.database.kind}"} 1`);
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain(CANARY);
  });

  it.each([
    ['X-Forwarded-For', '203.0.113.7'],
    ['Via', '1.1 proxy'],
    // As HAProxy passes it on by default.
    ['Host', 'memory.example.com'],
  ])('are refused through a proxy, which shows by %s', async (header, value) => {
    const app = appWith({ host: '0.0.0.0' });
    await supertest(app).get('/metrics').set('Host', '127.0.0.1:3000').expect(200);
    await supertest(app).get('/metrics').set(header, value).expect(403);
  });

  const ownAddress = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
  it.skipIf(ownAddress === undefined)('are shown at any address of this machine itself', async () => {
    const server = createServer(appWith({ host: '0.0.0.0' })).listen(0, '0.0.0.0');
    await once(server, 'listening');
    const url = `http://${ownAddress}:${(server.address() as AddressInfo).port}`;
    await supertest(url).get('/metrics').expect(200);
    server.close();
  });

  it('are refused through a proxy that speaks HTTP/1.0, as nginx does by default', async () => {
    const request = 'GET /metrics HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n';
    expect(await serving(test.app, (port) => exchange(port, request))).toMatch(/^HTTP\/1.1 403 /);
  });

  it('are shown for the token once one is set, to no one else', async () => {
    const app = appWith({ metricsToken: 'scrape-me' });
    await supertest(app).get('/metrics').expect(403);
    await supertest(app).get('/metrics').set('Authorization', 'Bearer scrape-you').expect(403);
    await supertest(app).get('/metrics').set('Authorization', 'Bearer scrape-me').expect(200);
  });
});

describe('the log', () => {
  it('has one line per request with its facts and nothing a client sent', async () => {
    test.logged.length = 0;
    await call('post', '/memories')
      .send({ type: 'episodic', content: CANARY, tags: [CANARY] })
      .expect(201);
    await call('get', `/memories/search?query=${CANARY}`).set('X-Session-Key', CANARY).expect(200);
    await call('get', `/memories/${CANARY}`).set('User-Agent', CANARY).expect(404);
    await call('post', '/memories')
      .send({ [CANARY]: CANARY })
      .expect(400);
    await supertest(test.app).get(`/${CANARY}`).set('Cookie', `a=${CANARY}`).expect(404);
    expect(test.logged).toHaveLength(5);
    expect(test.logged[0]).toEqual({
      level: 'info',
      time: expect.any(String),
      request_id: expect.any(String),
      method: 'POST',
      route: '/api/v1/memories',
      status: 201,
      ms: expect.any(Number),
      tenant_id: expect.any(String),
      key_id: expect.any(String),
      msg: 'request',
    });
    expect(test.logged[2]).toMatchObject({ route: '/api/v1/memories/{id}', status: 404, code: 'NOT_FOUND' });
    const text = JSON.stringify(test.logged);
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(bearer.slice('Bearer '.length));
  });

  it('has the place of an unexpected failure, and neither log nor answer its message', async () => {
    test.logged.length = 0;
    vi.spyOn(test.kit.engine, 'call').mockRejectedValueOnce(new Error(`cannot take this\n  at ${CANARY}`));
    const { body } = await call('post', '/memories').send({ type: 'episodic', content: 'x' }).expect(500);
    expect(body.error).toEqual({
      code: 'INTERNAL',
      message: expect.any(String),
      request_id: expect.any(String),
    });
    const failure = test.logged.find(({ level }) => level === 'error');
    expect(failure).toMatchObject({
      request_id: body.error.request_id,
      route: '/api/v1/memories',
      err: { type: 'Error', stack: expect.arrayContaining([expect.stringContaining('app.test.ts')]) },
    });
    expect(JSON.stringify([test.logged, body])).not.toContain(CANARY);
  });

  it('hides fields that hold secrets', () => {
    test.logged.length = 0;
    const lines: string[] = [];
    const logger = createLogger({}, { write: (line) => lines.push(line) });
    logger.info({ authorization: CANARY, key: { secret: CANARY, id: 'k1' } }, 'made a key');
    expect(lines.join()).not.toContain(CANARY);
    expect(lines.join()).toContain('k1');
  });
});

describe('the Host of a request to a local service', () => {
  it.each(['localhost', 'localhost:3000', '127.0.0.1', '[::1]:3000', 'svc.localhost', 'memory.example'])(
    '%s is served',
    async (host) => {
      const app = appWith({ publicUrl: 'https://memory.example/' });
      await supertest(app).get('/health').set('Host', host).expect(200);
    },
  );

  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:3000', '192.168.1.4'])(
    '%s is refused',
    async (host) => {
      const { body } = await supertest(test.app)
        .get('/api/v1/status')
        .set({ Host: host, Authorization: bearer })
        .expect(403);
      expect(body.error.code).toBe('FORBIDDEN');
    },
  );

  it('is not looked at when the service listens publicly', async () => {
    await supertest(appWith({ host: '0.0.0.0' }))
      .get('/health')
      .set('Host', 'memory.example')
      .expect(200);
  });
});

describe('rate limits', () => {
  it('are told in headers and enforced per key', async () => {
    const clock = { now: 0 };
    const limited = appWith({ rateLimitPerMinute: 12 }, () => clock.now);
    const other = (await test.signIn()).bearer;
    const first = await caller(limited, bearer)('get', '/status').expect(200);
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"default";q=12;w=60',
      ratelimit: '"default";r=1;t=5',
    });
    await caller(limited, bearer)('get', '/status').expect(200);
    const refused = await caller(limited, bearer)('get', '/status').expect(429);
    expect(refused.body.error.code).toBe('RATE_LIMITED');
    expect(refused.headers['retry-after']).toBe('5');
    await caller(limited, other)('get', '/status').expect(200);
    clock.now += 5_000;
    await caller(limited, bearer)('get', '/status').expect(200);
  });

  it('slow down wrong keys from one address, and a valid key there still works', async () => {
    const app = appWith({ failedSignInsPerMinute: 3 }, () => 0);
    const wrong = () => supertest(app).get('/api/v1/status').set('Authorization', 'Bearer wrong');
    for (let index = 0; index < 3; index += 1) await wrong().expect(401);
    const refused = await wrong().set('X-Forwarded-For', '203.0.113.9').expect(429);
    expect(refused.headers['retry-after']).toBe('20');
    await caller(app, bearer)('get', '/status').expect(200);
  });

  it('take all addresses of an IPv6 network for one client, and those of IPv4 each for itself', async () => {
    const app = appWith({ failedSignInsPerMinute: 2, trustedProxies: 1 }, () => 0);
    const wrongFrom = (address: string) =>
      supertest(app).get('/api/v1/status').set({ Authorization: 'Bearer x', 'X-Forwarded-For': address });
    const statuses = [];
    for (const address of [
      ...['2001:db8::1', '2001:db8::a:b:c:d', '2001:db8:0:0:ffff::', '2001:db8:0:1::1', '2001:db8:1::'],
      ...['::ffff:192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.2', '::1'],
    ])
      statuses.push((await wrongFrom(address)).status);
    expect(statuses).toEqual([401, 401, 429, 401, 401, 401, 401, 429, 401, 401]);
  });
});

it('an operation learns that its client left', async () => {
  const left = new Promise<void>((resolve) => {
    vi.spyOn(test.kit.engine, 'call').mockImplementationOnce(
      (_name, _caller, _input, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => {
            reject(options.signal?.reason);
            resolve();
          });
          client.abort();
        }),
    );
  });
  const client = new AbortController();
  test.logged.length = 0;
  await serving(test.app, async (port) => {
    const gone = fetch(`http://127.0.0.1:${port}/api/v1/status`, {
      headers: { Authorization: bearer },
      signal: client.signal,
    });
    await expect(gone).rejects.toThrow();
    await left;
  });
  expect(test.logged).toMatchObject([{ route: '/api/v1/status', status: 499 }]);
});

it('ends answers that last where the service stops, and begins no more of them', async () => {
  const stopping = new AbortController();
  const { engine } = test.kit;
  const logger = createLogger({ level: 'silent' });
  const app = createApp({ engine, logger, stopping: stopping.signal });
  const stream = (port: number) =>
    fetch(`http://127.0.0.1:${port}/api/v1/events/stream`, { headers: { Authorization: bearer } });
  const listen = (port: number) =>
    fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' },
        Authorization: bearer,
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
        params: {
          notifications: { resourceSubscriptions: ['svc://boot'] },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
  await serving(app, async (port) => {
    const lasting = await Promise.all([stream(port), listen(port)]);
    expect(lasting.map(({ status }) => status)).toEqual([200, 200]);
    stopping.abort();
    await Promise.allSettled(lasting.map((answer) => answer.text()));
    const later = await Promise.all([stream(port), listen(port)]);
    expect(later.map(({ status }) => status)).toEqual([503, 503]);
  });
});
