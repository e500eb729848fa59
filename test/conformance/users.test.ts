import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, errorOf } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();
const JSON_BODY = { 'Content-Type': 'application/json' };
const RECALL = { query: 'canary', threshold: 0 };

/** Ids that an app may have, each with a word that only what is theirs holds. */
const CANARIES: Readonly<Record<string, string>> = {
  u1: 'zwergkolibri',
  u10: 'brillenpinguin',
  'u1/../u2': 'kaiseradler',
  '%': 'steinkauz',
  _: 'seeadler',
  '*x': 'wasseramsel',
  'a&b=c': 'bergziege',
  '...': 'feldhamster',
};

let agent: Api;
/** By a key that is bound to u1. */
let bound: Api;
let other: Api;
const ids = new Map<string, string>();

beforeAll(async () => {
  agent = await service.signUp();
  other = await service.signUp();
  for (const [user_id, word] of Object.entries(CANARIES)) {
    const draft = { type: 'semantic', content: `The canary is a ${word}.`, user_id };
    ids.set(user_id, (await agent.post<'remember'>('/memories', draft)).body.memory.id);
  }
  const key = await service.kit.engine.apiKeys.create(agent.tenantId, {
    name: 'bound',
    scope: 'full',
    userId: 'u1',
  });
  bound = service.withKey(key.secret);
});

/** Whose words an answer holds. */
const toldIn = (body: unknown) =>
  Object.entries(CANARIES)
    .filter(([, word]) => JSON.stringify(body).includes(word))
    .map(([id]) => id);

const send = (api: Api, method: string, path: string, body?: unknown, headers = {}) =>
  api.send(method, path, {
    headers: { ...(body === undefined ? {} : JSON_BODY), ...headers },
    ...(body === undefined ? {} : { raw: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

describe('a user', () => {
  it.each(Object.keys(CANARIES))(
    '%s is found under its own id only, in a query and in a body',
    async (id) => {
      const listed = await agent.get(`/memories/query?user_id=${encodeURIComponent(id)}`);
      expect(toldIn(listed.body)).toEqual([id]);
      const recalled = await agent.post('/memories/recall', { ...RECALL, user_id: id });
      expect(toldIn(recalled.body)).toEqual([id]);
    },
  );

  // Each place that may name a user, at odds with another one.
  it.each<[string, string, string, unknown?]>([
    ['the query of a route with a body', 'POST', '/memories/recall?user_id=u10', RECALL],
    ['and of the body', 'POST', '/memories/recall?user_id=u10', { ...RECALL, user_id: 'u1' }],
    ['the query twice', 'GET', '/memories/query?user_id=u1&user_id=u10'],
    ['a list in the query', 'GET', '/memories/query?user_id[]=u10'],
    ['a path and its query', 'DELETE', '/users/u10?user_id=u1'],
    [
      'the query of a route with a path and a body',
      'DELETE',
      '/memories/:u10?user_id=u1',
      { user_id: 'u10' },
    ],
    [
      'a memory of a batch',
      'POST',
      '/memories/batch',
      { memories: [{ type: 'working', content: 'x', user_id: 'u10' }] },
    ],
    ['another case', 'POST', '/memories/recall', { ...RECALL, USER_ID: 'u10' }],
    ['an object', 'POST', '/memories/recall', { ...RECALL, user_id: { $ne: 'x' } }],
    ['a number', 'POST', '/memories/recall', { ...RECALL, user_id: 1 }],
    ['true', 'POST', '/memories/recall', { ...RECALL, user_id: true }],
  ])('is refused as VALIDATION_ERROR by %s', async (_, method, path, body) => {
    for (const api of [agent, bound]) {
      const answer = await send(api, method, path.replace(':u10', ids.get('u10') ?? ''), body);
      // A bound key is told before that it has no way there.
      const codes = api === bound ? ['VALIDATION_ERROR', 'FORBIDDEN'] : ['VALIDATION_ERROR'];
      expect(codes).toContain(errorOf(answer).code);
      expect(toldIn(answer.body)).toEqual([]);
    }
    expect(toldIn((await agent.get('/memories/query?user_id=u10')).body)).toEqual(['u10']);
  });

  it.each(['*', 'u\u200b1', 'a'.repeat(129)])(
    '%j in a path is like one of whom nothing is stored',
    async (id) => {
      const answers = [
        await agent.send('DELETE', `/users/${encodeURIComponent(id)}`),
        await agent.send('DELETE', '/users/nobody'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      expect(new Set(answers.map((answer) => errorOf(answer).message)).size).toBe(1);
      expect((await agent.get<'users'>('/users')).body.users).toHaveLength(Object.keys(CANARIES).length);
    },
  );
});

describe('a key that is bound to a user', () => {
  it.each<[string, string, string, unknown?, object?]>([
    ['no user', 'POST', '/memories/recall', RECALL],
    ['headers of another', 'POST', '/memories/recall', RECALL, { 'X-User-Id': 'u10', 'X-Svc-User': 'u10' }],
    ['its own space', 'POST', '/memories/recall', { ...RECALL, space_id: 'own' }],
    [
      'itself last in a body',
      'POST',
      '/memories/recall',
      '{"query":"canary","threshold":0,"user_id":"u10","user_id":"u1"}',
    ],
    ['itself with an outer space', 'GET', '/memories/query?user_id=u1%20'],
  ])('with %s is told what is its user’s', async (_, method, path, body, headers) => {
    const answer = await send(bound, method, path, body, headers);
    expect([answer.status, toldIn(answer.body)]).toEqual([200, ['u1']]);
  });

  it.each<[string, string, unknown?]>([
    ['POST', '/memories/recall', { ...RECALL, user_id: 'u10' }],
    ['POST', '/memories/recall', '{"query":"canary","user_id":"u1","user_id":"u10"}'],
    ['POST', '/memories/recall', { ...RECALL, user_id: '*' }],
    ['GET', '/memories/query?user_id=%75%31%30'],
    ['GET', '/memories/query?user_id=u1,u10'],
    ['GET', '/memories/query?user_id=u1%2F..%2Fu2'],
    ['GET', '/memories/query?user_id=%25'],
    ['GET', '/memories/:u10'],
    ['GET', '/memories/:u10?user_id=u10'],
    ['GET', '/memories/:u10/history?user_id=u1'],
    ['DELETE', '/memories/:u10?user_id=u1'],
    ['PATCH', '/memories/:u10', { importance: 0.1 }],
    ['POST', '/memories/:u10/restore', {}],
    ['POST', '/memories/undo', { source: 'agent', since: '2020-01-01', user_id: '*' }],
    ['GET', '/export?user_id=*'],
    ['GET', '/export?user_id=u10'],
    ['GET', '/users'],
    ['DELETE', '/users/u1'],
    ['DELETE', '/users/u1%2F..%2Fu10'],
  ])('is refused %s %s %j', async (method, path, body) => {
    const answer = await send(bound, method, path.replace(':u10', ids.get('u10') ?? ''), body);
    expect(['FORBIDDEN', 'NOT_FOUND']).toContain(errorOf(answer).code);
    expect(toldIn(answer.body)).toEqual([]);
  });
});

it('a space of another account, a tenant and what is no id at all are no spaces', async () => {
  const { body } = await other.post<'createSpace'>('/spaces', { name: 'Theirs' });
  // Agents without a human are the operator's, and so of one account: that space is theirs, but nobody let this agent in.
  for (const space_id of [body.space.id, body.space.id.toUpperCase(), agent.tenantId, other.tenantId]) {
    for (const api of [agent, bound]) {
      for (const answer of [
        await api.post('/memories/recall', { ...RECALL, space_id }),
        await api.get(`/memories/query?space_id=${space_id}`),
        await api.post('/memories', { type: 'working', content: 'x', space_id }),
        await agent.get(`/spaces/${space_id}`),
      ]) {
        expect(errorOf(answer)).toMatchObject({
          code: 'NOT_FOUND',
          message: 'There is no space with this id.',
        });
      }
    }
  }
  for (const space_id of ['*', '', `{${body.space.id}}`, `urn:uuid:${body.space.id}`, 1, [body.space.id]]) {
    const answer = await agent.post('/memories/recall', { ...RECALL, space_id });
    expect(errorOf(answer)).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'space_id' }] });
  }
  const malformed = await agent.get('/spaces/none');
  expect(errorOf(malformed)).toMatchObject({ code: 'NOT_FOUND', message: 'There is no space with this id.' });
});
