import { type Route, routes } from '@svc-memory/core/contract';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, errorOf, expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();
let now = 0;
const limited = useService({
  settings: { rateLimitPerMinute: 60 },
  now: () => now,
});
let api: Api;
beforeAll(async () => {
  api = await service.signUp();
});

// That the API document names the status of each answer is checked by the kit.
describe('Errors that a client meets by the API document', () => {
  const reading = Object.values<Route>(routes).flatMap((route) => {
    const path = route.method === 'GET' ? route.path : route.alsoGet;
    return path && !path.includes('{') && route.request.shape.space_id ? [path] : [];
  });
  const range = { since: '2026-01-01', until: '2026-01-02', query: 'tea' };

  it.each(reading)('GET %s of a space that is not there is NOT_FOUND', async (path) => {
    const { request } = Object.values<Route>(routes).find((one) =>
      [one.path, one.alsoGet].includes(path),
    ) as Route;
    const own = Object.entries(range).filter(([name]) => request.shape[name]);
    const query = new URLSearchParams([...own, ['space_id', crypto.randomUUID()]]);
    expect(errorOf(await api.get(`${path}?${query}`)).code).toBe('NOT_FOUND');
  });

  it('an Idempotency-Key of another request is a CONFLICT, whatever the method', async () => {
    const { body } = await api.post<'createWipItem'>('/wip', { title: 'a plan' });
    const headers = { 'Idempotency-Key': 'once' };
    await api.patch(`/wip/${body.item.id}`, { title: 'another plan' }, { headers });
    const again = await api.patch(`/wip/${body.item.id}`, { title: 'a third plan' }, { headers });
    expect(errorOf(again).code).toBe('CONFLICT');
    expect(errorOf(await api.delete(`/wip/${body.item.id}`, { headers })).code).toBe('CONFLICT');
  });

  it.each(['/distress', '/drift-check/dismiss'])('nothing open at %s is NOT_FOUND', async (path) => {
    const other = await service.signUp();
    const answer =
      path === '/distress' ? await other.delete(path) : await other.post(path, { reason: 'I have looked.' });
    expect(errorOf(answer).code).toBe('NOT_FOUND');
  });
});

describe('Spec: Errors — success false, error with code and message', () => {
  it.each([
    ['UNAUTHORIZED', 401, () => service.withKey('svc_no').get('/status')],
    ['NOT_FOUND', 404, () => api.get(`/memories/${crypto.randomUUID()}`)],
    ['VALIDATION_ERROR', 400, () => api.post('/memories', { type: 'core' })],
    ['METHOD_NOT_ALLOWED', 405, () => api.send('PUT', '/memories')],
    ['PAYLOAD_TOO_LARGE', 413, () => api.post('/memories', { content: 'x'.repeat(1_048_577) })],
    ['UNSUPPORTED_MEDIA_TYPE', 415, () => api.send('POST', '/memories', { raw: 'type=core' })],
  ] as const)('%s is %d', async (code, status, call) => {
    const answer = await call();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.body).toEqual({
      success: false,
      error: expect.objectContaining({ code, message: expect.stringMatching(/\S/) }),
    });
  });

  it.each([
    ['FORBIDDEN', 403, {}],
    ['GUARDIAN_PROTECTED', 403, { pending: true }],
  ] as const)('%s is %d', async (code, status, { pending = false }: { pending?: boolean }) => {
    const soul = { type: 'core', category: 'soul', content: 'I am Ada.' };
    const { body } = await api.post<'remember'>('/memories', soul);
    if (pending) await api.patch(`/memories/${body.memory.id}`, { content: 'I am Eve.' });
    const answer = await api.delete(`/memories/${body.memory.id}`);
    expect([answer.status, errorOf(answer).code]).toEqual([status, code]);
  });

  it('INTERNAL is 500 and says nothing of the inside', async () => {
    const failing = new Error('canary-secret at /srv/secret.ts:12');
    vi.spyOn(service.kit.engine, 'call').mockRejectedValueOnce(failing);
    const send = () => api.post('/memories', { type: 'working', content: 'x' });
    const error = await expectRefused(api, send, 'INTERNAL');
    expect(JSON.stringify(error)).not.toMatch(/canary|secret|\.ts/);
  });

  it('a request id is in the error and in X-Request-Id; a sane one of the client is kept', async () => {
    const headers = { 'X-Request-Id': 'trace-42' };
    const answer = await api.get('/nothing', { headers });
    expect(answer.headers.get('x-request-id')).toBe('trace-42');
    expect(errorOf(answer).request_id).toBe('trace-42');
    const odd = await api.get('/nothing', { headers: { 'X-Request-Id': '<script>' } });
    expect(errorOf(odd).request_id).toMatch(/^[\w.-]+$/);
  });

  it('several mistakes are all named at once', async () => {
    const body = { type: 'x', content: 5, importance: 2, tags: 'a', colour: 'red' };
    const answer = await api.post('/memories', body);
    const paths = (errorOf(answer).details as { path: string }[]).map(({ path }) => path);
    expect(paths.sort()).toEqual(['colour', 'content', 'importance', 'tags', 'type']);
  });
});

describe('Spec: Limits — exceeding the request rate gives RATE_LIMITED (429)', () => {
  it('after the burst, with Retry-After; obeying it, the next call passes', async () => {
    const caller = await limited.signUp();
    const answers = [];
    for (let n = 0; n < 11; n += 1) answers.push(await caller.get('/status'));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    const last = answers.at(-1);
    expect(last && errorOf(last).code).toBe('RATE_LIMITED');
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/r=9;/);
    expect(last?.headers.get('ratelimit')).toMatch(/r=0;/);
    const wait = Number(last?.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    now += wait * 1000;
    expect((await caller.get('/status')).status).toBe(200);
  });

  it('a refused call stores nothing, and other keys are not affected', async () => {
    const [busy, other] = [await limited.signUp(), await limited.signUp()];
    for (let n = 0; n < 10; n += 1) await busy.get('/status');
    const send = () => busy.post('/memories', { type: 'working', content: 'x' });
    await expectRefused(busy, send, 'RATE_LIMITED');
    expect((await other.post('/memories', { type: 'working', content: 'x' })).status).toBe(201);
  });
});

describe('Spec: Versioning', () => {
  it.each(['', '/api', '/api/v0', '/api/v2', '/v1', '/API/v1', '/api/V1'])(
    'the REST API is under /api/v1 only, not under %j',
    async (prefix) => {
      const headers = { Authorization: `Bearer ${api.key}` };
      const response = await fetch(`${service.url}${prefix}/status`, { headers });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
    },
  );

  it('the export document carries its own version, a string', async () => {
    expect((await api.get<'export'>('/export')).body.export.version).toBe('1');
  });

  it('the API document is OpenAPI 3.1 and lists every endpoint of the contract', async () => {
    const document = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    };
    expect(document.openapi).toMatch(/^3\.1\./);
    const bare = Object.entries(document.paths).map(
      ([path, methods]) => [path.replace(/^\/api\/v1/, ''), methods] as const,
    );
    const listed = bare.flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    for (const { method, path, ...route } of Object.values(routes)) {
      expect(listed).toContain(`${method.toLowerCase()} ${path}`);
      if ('alsoGet' in route) expect(listed).toContain(`get ${route.alsoGet}`);
    }
  });
});

describe('Spec: Endpoints — every endpoint the spec lists is served', () => {
  it.each([
    'POST /memories',
    'GET /memories/{id}',
    'PATCH /memories/{id}',
    'DELETE /memories/{id}',
    'POST /memories/recall',
    'GET /memories/search',
    'POST /memories/query',
    'GET /memories/query',
    'GET /memories/boot',
    'GET /boot-config',
    'POST /boot-config',
    'POST /webhooks/compaction',
    'POST /webhooks/memory-sync',
    'GET /status',
    'GET /health',
    'GET /export',
    'GET /memories/export',
    'GET /visibility',
    'POST /visibility',
    'POST /distress',
    'DELETE /distress',
  ])('%s', async (endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const answer = await api.send(method, path.replace('{id}', crypto.randomUUID()), {
      headers: { 'Content-Type': 'application/json' },
      ...(method === 'GET' || method === 'DELETE' ? {} : { raw: '{}' }),
    });
    if (answer.status === 404) expect(errorOf(answer).message).not.toMatch(/no such path/);
    expect(answer.status).not.toBe(405);
  });
});
