import { expect, expectTypeOf, test } from 'vitest';
import { type AgentMemory, type Input, type OperationName, routes } from '../app/contract.ts';
import { API_KEY, json, serve } from './http-server.fixture.ts';
import { connect } from './index.ts';

const ID = '0197a8f2-0000-7000-8000-000000000001';

async function echo() {
  const server = await serve((_, response) => json(response, 200, { success: true, answer: 42 }));
  return { ...server, memory: connect({ url: server.url, apiKey: API_KEY }) };
}

test('a connection is an AgentMemory with a method for every route', () => {
  const memory = connect({ url: 'http://127.0.0.1:1', apiKey: API_KEY });
  expectTypeOf(memory).toEqualTypeOf<AgentMemory>();
  expect(Object.keys(memory).sort()).toEqual(Object.keys(routes).sort());
});

test('calls take constants, and metadata that is an object', () => {
  const tags = ['tea', 'cake'] as const;
  const fact = { type: 'semantic', content: 'Ada drinks tea.', tags, metadata: { seen: tags } } as const;
  expectTypeOf(fact).toExtend<Input<'remember'>>();
  expectTypeOf({ memories: [fact] } as const).toExtend<Input<'rememberBatch'>>();
  expectTypeOf<{ type: 'semantic'; content: string; metadata: string }>().not.toExtend<Input<'remember'>>();
  expectTypeOf<{ query: string; metadata: string[] }>().not.toExtend<Input<'recall'>>();
});

test('every operation sends the method and path of its route', async () => {
  const { memory, seen } = await echo();
  const anyMemory: Record<string, (input: object) => Promise<unknown>> = { ...memory } as never;
  for (const name of Object.keys(routes) as OperationName[]) {
    const parameters = [...routes[name].path.matchAll(/\{(\w+)\}/g)].map((match) => [match[1], ID]);
    await anyMemory[name]?.(Object.fromEntries(parameters));
    const last = seen.at(-1);
    expect(`${last?.method} ${last?.url}`).toBe(
      `${routes[name].method} /api/v1${routes[name].path.replace(/\{\w+\}/g, ID)}`,
    );
  }
});

test('the key goes in the Authorization header and nowhere else', async () => {
  const { memory, seen } = await echo();
  await memory.remember({ type: 'working', content: 'tea' });
  expect(seen[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
  const { authorization: _, ...others } = seen[0]?.headers ?? {};
  expect(JSON.stringify([seen[0]?.url, seen[0]?.body, others])).not.toContain(API_KEY);
});

test('POST fields travel as JSON, Dates as ISO 8601', async () => {
  const { memory, seen } = await echo();
  const occurred_at = new Date('2026-02-01T09:30:00Z') as unknown as string;
  await memory.remember({ type: 'episodic', content: 'schöne Grüße 🎉', tags: ['a', 'b'], occurred_at });
  expect(seen[0]?.headers['content-type']).toBe('application/json');
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    type: 'episodic',
    content: 'schöne Grüße 🎉',
    tags: ['a', 'b'],
    occurred_at: '2026-02-01T09:30:00.000Z',
  });
});

test('GET fields travel as query parameters without a body', async () => {
  const { memory, seen } = await echo();
  await memory.boot({ preview: true, context_hint: 'tea & cake' });
  expect(seen[0]?.url).toBe('/api/v1/memories/boot?preview=true&context_hint=tea+%26+cake');
  expect(seen[0]?.body).toBe('');
  expect(seen[0]?.headers['content-type']).toBeUndefined();
});

test('path parameters leave the body', async () => {
  const { memory, seen } = await echo();
  await memory.update({ id: ID, importance: 0.9 }, { ifMatch: 3 });
  expect(seen[0]?.url).toBe(`/api/v1/memories/${ID}`);
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ importance: 0.9 });
  expect(seen[0]?.headers['if-match']).toBe('"3"');
});

test.each(['', '..', 'archived', '../status', `${ID}/restore`])(
  'the id %j cannot address another route: it names nothing',
  async (id) => {
    const { memory, seen } = await echo();
    await memory.get({ id });
    expect(seen[0]?.url).toBe('/api/v1/memories/00000000-0000-0000-0000-000000000000');
  },
);

test.each([{}, { id: 7 }, { id: null }])(
  'the path parameters %j are refused before they are sent',
  async (input) => {
    const { memory, seen } = await echo();
    const details = [expect.objectContaining({ path: 'id' })];
    await expect(memory.get(input as never)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
    expect(seen).toHaveLength(0);
  },
);

test('writing POSTs carry an Idempotency-Key of their own, or the one given', async () => {
  const { memory, seen } = await echo();
  await memory.remember({ type: 'working', content: 'one' });
  await memory.remember({ type: 'working', content: 'two' });
  await memory.remember({ type: 'working', content: 'three' }, { idempotencyKey: 'mine' });
  await memory.recall({ query: 'tea' });
  const keys = seen.map((request) => request.headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).not.toBe(keys[0]);
  expect(keys.slice(2)).toEqual(['mine', undefined]);
});

test('answers come without success', async () => {
  const { memory } = await echo();
  expect(await memory.status()).toEqual({ answer: 42 });
});

test.each(['', '/', '/api/v1', '/api/v1/'])('the address may end in %j', async (ending) => {
  const server = await serve((_, response) => json(response, 200, { success: true }));
  await connect({ url: server.url + ending, apiKey: API_KEY }).status();
  await connect({ url: `${server.url}/below${ending}`, apiKey: API_KEY }).status();
  expect(server.seen.map((request) => request.url)).toEqual(['/api/v1/status', '/below/api/v1/status']);
});

test('input that JSON cannot hold is refused before it is sent', async () => {
  const { memory, seen } = await echo();
  const bad = [{ content: 1n }, { content: new Date(Number.NaN) }, 'text', null, []];
  for (const input of bad) {
    await expect(memory.remember(input as never)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  }
  expect(seen).toHaveLength(0);
});
