import { expect, it } from 'vitest';
import { caller, useApp } from '../app/app.fixture.ts';

const own = useApp();

/** An agent that knows something of its own, of u1 and of u10, and how to call for each kind of caller. */
async function world() {
  const { tenantId, bearer } = await own.signIn();
  const { engine } = own.kit;
  const keyFor = async (userId: string, scope: 'full' | 'read' = 'full') => {
    const { secret } = await engine.apiKeys.create(tenantId, { name: userId, scope, userId });
    return caller(own.app, `Bearer ${secret}`);
  };
  const agent = caller(own.app, bearer);
  const remember = (content: string, user_id?: string) =>
    agent('post', '/memories').send({ type: 'semantic', content, ...(user_id && { user_id }) });
  await remember('Opens at nine.');
  await remember('Ada rides a bicycle.', 'u1');
  await remember('Bert takes the tram.', 'u10');
  return { tenantId, agent, keyFor, other: caller(own.app, (await own.signIn()).bearer) };
}

type Call = ReturnType<typeof caller>;

const listed = async (call: Call, query = '') => {
  const { status, body } = await call('get', `/memories/query${query}`);
  return status === 200
    ? body.memories.map(({ content }: { content: string }) => content.split(' ')[0]).sort()
    : status;
};

it('shows each caller what is theirs, by query, body and key', async () => {
  const { agent, keyFor, other } = await world();
  const [ada, reader] = [await keyFor('u1'), await keyFor('u1', 'read')];
  expect(await listed(agent)).toEqual(['Opens']);
  expect(await listed(agent, '?user_id=u1')).toEqual(['Ada', 'Opens']);
  expect(await listed(agent, '?user_id=u10')).toEqual(['Bert', 'Opens']);
  expect(await listed(agent, '?user_id=u%25')).toEqual(['Opens']);
  expect(await listed(ada)).toEqual(['Ada', 'Opens']);
  expect(await listed(ada, '?user_id=u1')).toEqual(['Ada', 'Opens']);
  expect(await listed(ada, '?user_id=u10')).toBe(403);
  expect(await listed(reader)).toEqual(['Ada', 'Opens']);
  expect(await listed(other, '?user_id=u1')).toEqual([]);
  const { body } = await agent('post', '/memories/recall').send({
    query: 'who takes the tram?',
    user_id: 'u1',
    threshold: 0,
  });
  expect(JSON.stringify(body)).not.toContain('Bert');
  await agent('get', '/memories/query?user_id=u1&user_id=u10').expect(400);
  await agent('get', '/memories/query?user_id=').expect(400);
});

it('writes under a bound key for its user only, whatever is sent', async () => {
  const { agent, keyFor } = await world();
  const [ada, reader] = [await keyFor('u1'), await keyFor('u1', 'read')];
  await ada('post', '/memories').send({ type: 'working', content: 'Ada waits.' }).expect(201);
  await ada('post', '/memories').send({ type: 'working', content: 'x', user_id: 'u10' }).expect(403);
  await reader('post', '/memories').send({ type: 'working', content: 'x' }).expect(403);
  const [bert] = (await agent('get', '/memories/query?user_id=u10&type=semantic')).body.memories;
  await ada('patch', `/memories/${bert.id}`).send({ content: 'Bert walks.' }).expect(404);
  await ada('delete', `/memories/${bert.id}`).send({}).expect(404);
  expect(await listed(agent, '?user_id=u1')).toEqual(['Ada', 'Ada', 'Opens']);
  expect(await listed(agent, '?user_id=u10')).toEqual(['Bert', 'Opens']);
});

it.each([
  ['get', '/users'],
  ['delete', '/users/u1'],
  ['get', '/guardian'],
  ['get', '/visibility'],
  ['get', '/event-endpoints'],
  ['get', '/events/stream'],
  ['get', '/dashboard'],
  ['get', '/memories/map'],
  ['get', '/memories/facets'],
  ['post', '/reflect'],
  ['post', '/session-key'],
] as const)('a bound key gets 403 for %s %s', async (method, path) => {
  const { keyFor } = await world();
  const call = (await keyFor('u1'))(method, path);
  const { status } = await (method === 'get' ? call : call.send({}));
  expect(status).toBe(403);
});

it('imports and exports as streams what is the user\u2019s', async () => {
  const { agent, keyFor } = await world();
  const ada = await keyFor('u1');
  const exported = async (call: Call, query = '') =>
    JSON.stringify((await call('get', `/export${query}`)).body);
  expect(await exported(agent)).not.toMatch(/Ada|Bert/);
  expect(await exported(agent, '?user_id=u10')).toContain('Bert');
  expect(await exported(ada)).toContain('Ada rides');
  expect(await exported(ada)).not.toMatch(/Bert|Opens/);
  await ada('get', '/export?user_id=u10').expect(403);
  await agent('post', '/import?name=notes.md&user_id=u10')
    .set('Content-Type', 'text/markdown')
    .send('# Notes\n\nBert likes rain.')
    .expect(202);
  await own.kit.engine.background.run('jobs.work');
  expect(await listed(agent, '?user_id=u10')).toHaveLength(3);
  expect(await listed(agent)).toEqual(['Opens']);
});

it('forgets a user for a full key, and a bound key opens nothing any more', async () => {
  const { agent, keyFor, other } = await world();
  const ada = await keyFor('u1');
  await other('delete', '/users/u1').send({}).expect(404);
  const { body } = await agent('delete', '/users/u1').send({}).expect(200);
  expect(body.receipt).toMatchObject({ user_id: 'u1', hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await listed(ada)).toBe(401);
  expect(await listed(agent, '?user_id=u1')).toEqual(['Opens']);
  await agent('delete', '/users/u1').send({}).expect(404);
  await agent('get', `/erasures/${body.receipt.id}`).expect(200);
  await other('get', `/erasures/${body.receipt.id}`).expect(404);
});

it('makes no user for a key that was revoked a moment ago', async () => {
  const { tenantId, agent } = await world();
  const { apiKeys } = own.kit.engine;
  const { id, secret } = await apiKeys.create(tenantId, { name: 'short', scope: 'full' });
  const call = caller(own.app, `Bearer ${secret}`);
  await call('post', '/memories').send({ type: 'working', content: 'x' }).expect(201);
  await apiKeys.revoke(tenantId, id);
  await call('post', '/memories').send({ type: 'working', content: 'y', user_id: 'u77' }).expect(401);
  const { body } = await agent('get', '/users').expect(200);
  expect(body.users.map((user: { id: string }) => user.id).sort()).toEqual(['u1', 'u10']);
});
