import { routes } from '@svc-memory/core/contract';
import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { successStatus } from '../answers/success.ts';
import { caller, useApp } from '../app/app.fixture.ts';
import { endpointsByPath } from './endpoints.ts';

const test = useApp();
let full: Awaited<ReturnType<typeof test.signIn>>;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  full = await test.signIn();
  call = caller(test.app, full.bearer);
});

const NOTE = { type: 'episodic', content: 'The kettle is blue.' };

describe('answers', () => {
  it.each([
    [{ outcome: 'queued' }, 202],
    [{ outcome: 'unchanged' }, 200],
    [{ memory: {} }, 200],
    [{ results: [{ outcome: 'queued' }, { outcome: 'created' }] }, 201],
    [{ results: [{ outcome: 'queued' }, { outcome: 'updated' }] }, 202],
    [{ results: [{ id: 'x' }] }, 200],
  ])('%j has status %i', (answer, status) => {
    expect(successStatus(answer)).toBe(status);
  });

  it('are not to be cached, framed, sniffed or traced to the framework', async () => {
    const { headers } = await call('get', '/status').expect(200);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'content-type': 'application/json; charset=utf-8',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('paths', () => {
  it('every route of the contract is mounted', () => {
    const mounted = [...endpointsByPath().values()].flat().map(({ name }) => name);
    expect(new Set(mounted)).toEqual(new Set(Object.keys(routes)));
  });

  it('literal paths win over parameters', async () => {
    const { body } = await call('get', '/memories/archived').expect(200);
    expect(body).toMatchObject({ success: true, memories: [] });
  });

  it('an unknown path is 404 with a key and 401 without', async () => {
    const { body } = await call('get', '/nothing').expect(404);
    expect(body).toEqual({
      success: false,
      error: { code: 'NOT_FOUND', message: expect.any(String), request_id: expect.any(String) },
    });
    await supertest(test.app).get('/api/v1/nothing').expect(401);
    await supertest(test.app).get('/nothing').expect(404);
  });

  it.each(['/memories/%zz', '/memories/%ff', '/memories/%c3%28'])('%s is no valid path', async (path) => {
    const { body } = await call('get', path).expect(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'path' }] });
  });

  it('another method is 405 and says which exist', async () => {
    const { body, headers } = await supertest(test.app)
      .put('/api/v1/memories')
      .set('Authorization', full.bearer)
      .expect(405);
    expect(headers.allow).toBe('POST, OPTIONS');
    expect(body.error.code).toBe('METHOD_NOT_ALLOWED');
    await supertest(test.app).put('/api/v1/memories').expect(401);
    await supertest(test.app).post('/api/v1/health').expect(405);
  });

  it('HEAD and OPTIONS answer without a body', async () => {
    const head = await supertest(test.app)
      .head('/api/v1/status')
      .set('Authorization', full.bearer)
      .expect(200);
    expect(head.text ?? '').toBe('');
    const options = await supertest(test.app).options('/api/v1/memories/query').expect(204);
    expect(options.headers.allow).toBe('POST, GET, HEAD, OPTIONS');
  });

  it('HEAD has no effect where GET has one', async () => {
    const { bearer } = await test.signIn();
    const own = caller(test.app, bearer);
    const head = (path: string) => supertest(test.app).head(`/api/v1${path}`).set('Authorization', bearer);
    const { body: made } = await own('post', '/session-key').expect(200);
    const traces = async () => {
      const { body: status } = await own('get', '/status');
      const logs = ['/recalls', '/audit-log', '/compactions'].map(async (path) => {
        const { body } = await own('get', path).expect(200);
        return body;
      });
      return [status.usage, status.counts, ...(await Promise.all(logs))];
    };
    const before = await traces();
    await head('/memories/boot').expect(200).expect('Content-Type', /json/);
    await head('/memories/search?query=kettle').expect(200);
    await head('/memories/query?type=episodic').expect(200);
    await head('/export').expect(200);
    await head('/memories/export?format=markdown')
      .expect(200)
      .expect('Content-Type', /markdown/);
    await head('/audit-log/export?format=ndjson')
      .expect(200)
      .expect('Content-Type', /ndjson/);
    expect(await traces()).toEqual(before);
    // A boot would have made another session key in its place.
    await own('post', '/visibility')
      .set('X-Session-Key', made.session_key)
      .send({ default: 'full' })
      .expect(200);
    await head('/memories/search?limit=0').expect(400);
    await supertest(test.app).head('/api/v1/memories/boot').expect(401);
    await supertest(test.app).head('/api/v1/memories').set('Authorization', bearer).expect(405);
  });
});

describe('a credential', () => {
  it('in the query string counts for nothing', async () => {
    const secret = full.bearer.slice('Bearer '.length);
    await supertest(test.app).get(`/api/v1/status?api_key=${secret}`).expect(401);
    await supertest(test.app).post(`/api/v1/memories?api_key=${secret}`).send(NOTE).expect(401);
  });

  it('that ended since it was used last can no longer recall, count a use, or learn what was wrong', async () => {
    const { tenantId, keyId, bearer } = await test.signIn();
    const { engine } = test.kit;
    const used = async () => (await engine.agent(tenantId).status()).usage.operations_this_month;
    const call = caller(test.app, bearer);
    const recall = (body: object) => call('post', '/memories/recall').send(body);
    await recall({ query: 'harbour' }).expect(200);
    await recall({ query: 'harbour' }).expect(200);
    await recall({ query: 7 }).expect(400);
    expect(await used()).toBe(2);
    await engine.apiKeys.revoke(tenantId, keyId);
    const { headers: answered } = await recall({ query: 'harbour' }).expect(401);
    expect(answered['www-authenticate']).toMatch(/error="invalid_token"/);
    await recall({ query: 7 }).expect(401);
    await call('get', '/memories/search?query=harbour').expect(401);
    expect(await used()).toBe(2);
  });

  it('of scope read may read and search and not write', async () => {
    const reader = caller(test.app, (await test.signIn('read')).bearer);
    await reader('get', '/status').expect(200);
    await reader('get', '/memories/query').expect(200);
    await reader('post', '/memories/query').send({}).expect(200);
    const { body } = await reader('post', '/memories').send('not even JSON').expect(403);
    expect(body.error.code).toBe('FORBIDDEN');
    await reader('delete', '/memories/01a1fd1f-b240-70d3-b327-7aff81549621').expect(403);
  });

  it('of scope read boots without taking the session key from the agent', async () => {
    const { tenantId, bearer } = await test.signIn('read');
    const { session_key: sessionKey } = await test.kit.engine.agent(tenantId).sessionKey();
    const { body } = await caller(test.app, bearer)('get', '/memories/boot').expect(200);
    expect(body.injection).toContain('[redacted]');
    expect(body.injection).toContain('[redacted]');
    await test.kit.engine.agent(tenantId).setVisibility({ default: 'redacted' }, { sessionKey });
  });
});

describe('headers of a call', () => {
  it.each(['has space', '<script>', 'x'.repeat(129), ''])('X-Request-Id %j is replaced', async (id) => {
    const { headers } = await call('get', '/status').set('X-Request-Id', id).expect(200);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('If-Match lets a change through only for the version it names, quoted or not', async () => {
    const { body } = await call('post', '/memories').send(NOTE).expect(201);
    const change = (version: string) =>
      call('patch', `/memories/${body.memory.id}`)
        .set('If-Match', version)
        .send({ content: `v ${version}` });
    await change('"1"').expect(200);
    await change('"1"').expect(409);
    await change('2').expect(200);
  });
});
