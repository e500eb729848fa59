import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { caller, exchange, serving, useApp } from '../app/app.fixture.ts';
import { createQueryReader } from './query.ts';

const test = useApp();
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  call = caller(test.app, (await test.signIn()).bearer);
  await call('post', '/memories/batch')
    .send({
      memories: [
        { type: 'episodic', content: 'Anna likes tea.', tags: ['drink', 'anna'] },
        { type: 'semantic', content: 'Tea is a drink.', tags: ['drink'] },
        { type: 'working', content: 'Buy tea.', tags: ['todo'] },
      ],
    })
    .expect(201);
});

describe('a GET form', () => {
  it('takes lists comma-separated or repeated', async () => {
    const comma = await call('get', '/memories/query?tags=drink,anna').expect(200);
    const repeated = await call('get', '/memories/query?tags=drink&tags=anna').expect(200);
    expect(repeated.body).toEqual(comma.body);
    expect(comma.body.memories).toHaveLength(1);
  });

  it.each([
    ['a tag with a comma', ['Smith, Ada'], '["Smith, Ada"]'],
    ['several of them', ['Smith, Ada', 'a,b'], '["Smith, Ada","a,b"]'],
    ['tags that only look like JSON', ['[draft]', '[1]'], '[draft],[1]'],
    ['a tag that is JSON', ['["x"]'], '["[\\"x\\"]"]'],
  ])('takes %s as the POST form does', async (_, tags, text) => {
    await call('post', '/memories')
      .send({ type: 'working', content: `Tagged ${tags}`, tags })
      .expect(201);
    const posted = await call('post', '/memories/query').send({ tags }).expect(200);
    const got = await call('get', `/memories/query?tags=${encodeURIComponent(text)}`).expect(200);
    expect(got.body).toEqual(posted.body);
    expect(got.body.memories).toHaveLength(1);
  });

  it('decodes percent and plus', async () => {
    const { body } = await call('get', '/memories/search?query=Buy+tea%2E&threshold=0&limit=1').expect(200);
    expect(body.results[0].content).toBe('Buy tea.');
  });

  it.each([
    ['limit=abc', 'limit'],
    ['limit=', 'limit'],
    ['limit', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit=0', 'limit'],
    ['limit=1e999', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=1.5', 'limit'],
    ['limt=5', 'limt'],
    ['tags[]=a', 'tags[]'],
    ['type=CORE', 'type'],
    ['since=yesterday', 'since'],
    ['since=', 'since'],
    ['tags=', 'tags.0'],
    ['type=core&type=working', 'type'],
    ['entity=%00', 'entity'],
    ['key=%zz', 'key'],
    ['key=%ff', 'key'],
    ['entity=%ed%a0%80', 'entity'],
    ['__proto__=x', '__proto__'],
    ['constructor=x', 'constructor'],
  ])('%s is refused and named', async (query, path) => {
    const { body } = await call('get', `/memories/query?${query}`).expect(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
  });
});

it('a parameter of the path is none of the query', async () => {
  await call('get', '/memories/01a1fd1f-b240-70d3-b327-7aff81549621?id=x').expect(400);
});

it('a field that has no form as a parameter is refused when the route is mounted', () => {
  const request = z.strictObject({ filter: z.array(z.object({ a: z.string() })) });
  const route = {
    method: 'GET',
    path: '/x',
    access: 'read',
    metering: 'free',
    summary: '',
    request,
    response: request,
  } as const;
  expect(() => createQueryReader(route, [])('/')).toThrow('filter');
});

it('an object is read as JSON, whatever its fields are called', () => {
  const request = z.strictObject({ metadata: z.record(z.string(), z.unknown()).optional() });
  const route = {
    method: 'GET',
    path: '/x',
    access: 'read',
    metering: 'free',
    summary: '',
    request,
    response: request,
  } as const;
  const read = createQueryReader(route, []);
  const metadata = { issue: 7, room: 'hall' };
  expect(read(`/x?metadata=${encodeURIComponent(JSON.stringify(metadata))}`)).toEqual({ metadata });
  // As strictly as a body.
  for (const wrong of ['{', '', '{"size":1e999}', '['.repeat(99) + ']'.repeat(99)]) {
    expect(() => read(`/x?metadata=${encodeURIComponent(wrong)}`)).toThrow('metadata: must be JSON');
  }
});

it.each([
  ['/api/v1/auth/verify?token=forged', 302],
  ['/api/v1/auth/callback/google?state=forged', 302],
])('the query of a target with a host that is none is read: %s', async (target, status) => {
  const head = `GET http://a:99999${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
  const { bearer } = await test.signIn();
  const answer = await serving(test.app, (port) => exchange(port, `${head}Authorization: ${bearer}\r\n\r\n`));
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});
