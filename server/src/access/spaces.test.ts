import { expect, it } from 'vitest';
import { caller, useApp } from '../app/app.fixture.ts';

const own = useApp();
const CANARY = 'zwergkolibri';

type Call = ReturnType<typeof caller>;

/** A space, and keys of agents with each right, of one of the account without any, and of another account. */
async function world() {
  const { engine } = own.kit;
  const agents = [];
  for (let n = 0; n < 5; n += 1) {
    const { tenantId, bearer } = await own.signIn();
    agents.push({ tenantId, call: caller(own.app, bearer) });
  }
  const [creator, reader, writer, manager, outsider] = agents as [Agent, Agent, Agent, Agent, Agent];
  // Who signs in later is another account's.
  await engine.accounts.ensureLocalOwner('Owner');
  const stranger = caller(own.app, (await own.signIn()).bearer);
  const keyOf = async (key: Parameters<typeof engine.apiKeys.create>[1]) =>
    caller(own.app, `Bearer ${(await engine.apiKeys.create(manager.tenantId, key)).secret}`);
  const { body } = await creator.call('post', '/spaces').send({ name: 'Team' }).expect(201);
  const space: string = body.space.id;
  for (const [{ tenantId }, right] of [
    [reader, 'read'],
    [writer, 'write'],
    [manager, 'manage'],
  ] as const) {
    await creator.call('post', `/spaces/${space}/members/${tenantId}`).send({ right }).expect(200);
  }
  const stored = await creator
    .call('post', '/memories')
    .send({ type: 'semantic', content: `The ${CANARY} nests here.`, space_id: space })
    .expect(201);
  const memory: string = stored.body.memory.id;
  const callers = {
    reader: reader.call,
    writer: writer.call,
    manager: manager.call,
    outsider: outsider.call,
    stranger,
    readKey: await keyOf({ name: 'r', scope: 'read' }),
    boundKey: await keyOf({ name: 'b', scope: 'full', userId: 'u1' }),
  };
  return { space, memory, writer, reader, creator, callers };
}
interface Agent {
  readonly tenantId: string;
  readonly call: Call;
}

type World = Awaited<ReturnType<typeof world>>;

const reads = [200, 200, 200, 404, 404, 200, 404];
const about = [200, 200, 200, 404, 404, 200, 403];

it.each<[string, readonly number[], (call: Call, world: World) => ReturnType<Call>]>([
  ['query', reads, (call, { space }) => call('get', `/memories/query?space_id=${space}`)],
  ['recall', reads, (call, { space }) => call('get', `/memories/search?query=${CANARY}&space_id=${space}`)],
  ['boot', reads, (call, { space }) => call('get', `/memories/boot?preview=true&space_id=${space}`)],
  ['get', reads, (call, { space, memory }) => call('get', `/memories/${memory}?space_id=${space}`)],
  ['get anywhere', reads, (call, { memory }) => call('get', `/memories/${memory}`)],
  [
    'history',
    reads,
    (call, { space, memory }) => call('get', `/memories/${memory}/history?space_id=${space}`),
  ],
  ['show', about, (call, { space }) => call('get', `/spaces/${space}`)],
  ['guardian', about, (call, { space }) => call('get', `/spaces/${space}/guardian`)],
  [
    'remember',
    [403, 201, 201, 404, 404, 403, 404],
    (call, { space }) =>
      call('post', '/memories').send({ type: 'working', content: `Note ${Math.random()}`, space_id: space }),
  ],
  [
    'import as a stream',
    [403, 202, 202, 404, 404, 403, 404],
    (call, { space }) =>
      call('post', `/import?name=notes.md&space_id=${space}`)
        .set('Content-Type', 'text/markdown')
        .send(`# Notes\n\nNumber ${Math.random()}.`),
  ],
  [
    'import',
    [403, 202, 202, 404, 404, 403, 404],
    (call, { space }) =>
      call('post', '/import').send({ files: [{ name: 'a.md', content: 'A note.' }], space_id: space }),
  ],
  [
    'update',
    [403, 200, 200, 404, 404, 403, 404],
    (call, { space, memory }) =>
      call('patch', `/memories/${memory}`).send({ importance: Math.random(), space_id: space }),
  ],
  [
    'undo',
    [403, 403, 200, 404, 404, 403, 404],
    (call, { space }) =>
      call('post', '/memories/undo').send({
        source: 'agent',
        since: '2020-01-01',
        dry_run: true,
        space_id: space,
      }),
  ],
  [
    'rename',
    [403, 403, 200, 404, 404, 403, 403],
    (call, { space }) => call('patch', `/spaces/${space}`).send({ name: 'New' }),
  ],
  [
    'give a right',
    [403, 403, 200, 404, 404, 403, 403],
    (call, { space, reader }) =>
      call('post', `/spaces/${space}/members/${reader.tenantId}`).send({ right: 'read' }),
  ],
  [
    'delete',
    // The manager deletes it; from then on nobody has it.
    [403, 403, 200, 404, 404, 403, 403],
    (call, { space }) => call('delete', `/spaces/${space}`).send({}),
  ],
])('over REST: %s', async (_name, expected, perform) => {
  const there = await world();
  const statuses: number[] = [];
  for (const [who, call] of Object.entries(there.callers)) {
    const { status, text } = await perform(call, there);
    statuses.push(status);
    const isMember = ['reader', 'writer', 'manager', 'readKey'].includes(who);
    if (!isMember) expect(text).not.toContain(CANARY);
  }
  expect(statuses).toEqual(expected);
});

it('answers foreign and unknown spaces word for word alike, and refuses malformed ones', async () => {
  const { space, callers } = await world();
  const unknown = '00000000-0000-4000-8000-00000000dead';
  const told = async (id: string) => {
    const { status, body } = await callers.stranger('get', `/memories/query?space_id=${id}`);
    const { request_id: _, ...error } = body.error;
    return { status, error };
  };
  expect(await told(space)).toEqual(await told(unknown));
  const { body } = await callers.reader('get', '/memories/query?space_id=x').expect(400);
  expect(body.error.details[0].path).toBe('space_id');
  await callers.reader('get', `/memories/query?space_id=${space}&space_id=${space}`).expect(400);
});

it('shows nothing of a space in lists of others, and of no member any more', async () => {
  const { space, callers, creator, reader } = await world();
  for (const call of [callers.outsider, callers.stranger, callers.boundKey]) {
    for (const path of [
      '/memories/query',
      `/memories/search?query=${CANARY}&threshold=0`,
      '/memories/boot?preview=true',
    ]) {
      const { status, text } = await call('get', path);
      expect(status).toBe(200);
      expect(text).not.toMatch(new RegExp(`${CANARY} nests|${space}`));
    }
  }
  expect((await callers.reader('get', '/memories/query')).text).toContain(CANARY);
  await creator.call('delete', `/spaces/${space}/members/${reader.tenantId}`).send({}).expect(200);
  expect((await callers.reader('get', '/memories/query')).text).not.toContain(CANARY);
});
