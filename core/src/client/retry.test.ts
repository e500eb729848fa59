import { expect, test } from 'vitest';
import { freePort } from '../../../test/kit/listen.ts';
import { API_KEY, json, serve } from './http-server.fixture.ts';
import { type ConnectOptions, connect } from './index.ts';

const ID = '0197a8f2-0000-7000-8000-000000000001';
const unavailable = { success: false, error: { code: 'UNAVAILABLE', message: 'the database is away' } };

/** A connection that does not wait but notes how long it would have. */
function impatient(url: string, options: Partial<ConnectOptions> = {}) {
  const waits: number[] = [];
  const delay = async (milliseconds: number) => void waits.push(milliseconds);
  return { memory: connect({ url, apiKey: API_KEY, delay, ...options }), waits };
}

test('a write whose answer was lost is repeated under the same Idempotency-Key and body', async () => {
  const { url, seen } = await serve((_, response, attempt) => {
    if (attempt === 1) response.destroy();
    else json(response, 201, { success: true, outcome: 'created' });
  });
  const { memory } = impatient(url);
  expect(await memory.remember({ type: 'working', content: 'tea' })).toEqual({ outcome: 'created' });
  expect(seen).toHaveLength(2);
  expect(seen[1]?.headers['idempotency-key']).toBe(seen[0]?.headers['idempotency-key']);
  expect(seen[1]?.body).toBe(seen[0]?.body);
});

test('an answer cut off in the middle counts as lost', async () => {
  const { url, seen } = await serve((_, response, attempt) => {
    if (attempt > 1) return json(response, 200, { success: true });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
    response.write('{"success":', () => response.destroy());
  });
  await impatient(url).memory.status();
  expect(seen).toHaveLength(2);
});

test.each([408, 429, 500, 502, 503, 504])('a read is repeated after %i', async (status) => {
  const { url, seen } = await serve((_, response, attempt) =>
    attempt <= 2 ? json(response, status, unavailable) : json(response, 200, { success: true }),
  );
  await impatient(url).memory.recall({ query: 'tea' });
  expect(seen).toHaveLength(3);
});

test('after the last attempt the error of the service is thrown', async () => {
  const { url, seen } = await serve((_, response) => json(response, 503, unavailable));
  const { memory, waits } = impatient(url, { retries: 3 });
  await expect(memory.status()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'the database is away',
  });
  expect(seen).toHaveLength(4);
  expect(waits).toHaveLength(3);
});

test('waits grow and stay within their bounds', async () => {
  const { url } = await serve((_, response) => json(response, 503, unavailable));
  const { memory, waits } = impatient(url, { retries: 7, timeoutMs: 60_000 });
  await expect(memory.status()).rejects.toThrow();
  for (const [index, wait] of waits.entries()) {
    const full = Math.min(8_000, 250 * 2 ** index);
    expect(wait).toBeGreaterThanOrEqual(full / 2);
    expect(wait).toBeLessThanOrEqual(full);
  }
});

test.each([
  ['7', 7_000, 7_000],
  ['0', 0, 0],
  [new Date(Date.now() + 10_000).toUTCString(), 5_000, 10_000],
])('Retry-After %s is honoured', async (header, least, most) => {
  const { url } = await serve((_, response, attempt) =>
    attempt === 1
      ? json(
          response,
          429,
          { success: false, error: { code: 'RATE_LIMITED', message: 'slow' } },
          { 'Retry-After': header },
        )
      : json(response, 200, { success: true }),
  );
  const { memory, waits } = impatient(url);
  await memory.status();
  expect(waits).toHaveLength(1);
  expect(waits[0]).toBeGreaterThanOrEqual(least);
  expect(waits[0]).toBeLessThanOrEqual(most);
});

test('a Retry-After beyond the timeout gives the error at once', async () => {
  const { url, seen } = await serve((_, response) =>
    json(
      response,
      429,
      { success: false, error: { code: 'RATE_LIMITED', message: 'slow' } },
      { 'Retry-After': '31' },
    ),
  );
  const { memory, waits } = impatient(url);
  await expect(memory.status()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect([seen.length, waits.length]).toEqual([1, 0]);
});

test.each([
  [400, 'VALIDATION_ERROR'],
  [401, 'UNAUTHORIZED'],
  [403, 'GUARDIAN_PROTECTED'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [429, 'QUOTA_EXCEEDED'],
])('%i %s is final', async (status, code) => {
  const { url, seen } = await serve((_, response) =>
    json(response, status, { success: false, error: { code, message: 'no' } }),
  );
  await expect(impatient(url).memory.remember({ type: 'working', content: 'x' })).rejects.toMatchObject({
    code,
  });
  expect(seen).toHaveLength(1);
});

test.each(['update', 'forget'] as const)(
  'a lost answer of %s is asked for again under the same Idempotency-Key',
  async (name) => {
    const { url, seen } = await serve((_, response, attempt) => {
      if (attempt === 1) response.destroy();
      else json(response, 200, { success: true });
    });
    const { memory } = impatient(url);
    await (name === 'update' ? memory.update({ id: ID, content: 'x' }) : memory.forget({ id: ID }));
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.any(String), keys[0]]);
  },
);

test.each([429, 503])('a PATCH refused with %i is repeated', async (status) => {
  const { url, seen } = await serve((_, response, attempt) =>
    attempt === 1 ? json(response, status, unavailable) : json(response, 200, { success: true }),
  );
  await impatient(url).memory.update({ id: ID, content: 'x' });
  expect(seen).toHaveLength(2);
});

test('what must not be done twice is repeated only where it was certainly not done', async () => {
  const { url, seen } = await serve((_, response, attempt) =>
    attempt === 1
      ? json(response, 429, unavailable, { 'Retry-After': '1' })
      : json(response, 503, unavailable, { 'Retry-After': '1' }),
  );
  const { memory } = impatient(url, { retries: 5 });
  const calls = [
    () => memory.createApiKey({ name: 'laptop' }),
    () => memory.rotateApiKey({ id: ID }),
    () => memory.sessionKey(),
    // The service keeps no answer with a secret, so that a key of the caller's own protects nothing.
    () => memory.createApiKey({ name: 'laptop' }, { idempotencyKey: 'mine' }),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(seen).toHaveLength(calls.length + 1);
});

test('a PATCH is repeated when the connection was refused', async () => {
  const { memory, waits } = impatient(`http://127.0.0.1:${await freePort()}`);
  await expect(memory.update({ id: ID, content: 'x' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(waits).toHaveLength(2);
});

test('retries: 0 sends once', async () => {
  const { url, seen } = await serve((_, response) => json(response, 503, unavailable));
  await expect(impatient(url, { retries: 0 }).memory.status()).rejects.toThrow();
  expect(seen).toHaveLength(1);
});
