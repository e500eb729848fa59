import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import express from 'express';
import supertest from 'supertest';
import { afterEach, expect, test, vi } from 'vitest';
import { answerErrors } from '../answers/errors.ts';
import { createLogger } from '../logs/logger.ts';
import { beginRequest } from '../request/begin.ts';
import { type ConcurrencyLimitOptions, concurrencyLimit } from './concurrency-limit.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A service whose calls last until they are let go, before a database as busy as is said. */
function startService(options: Partial<ConcurrencyLimitOptions> = {}) {
  const state = { queued: 0, queuedByEach: 0, now: 0 };
  const begun: string[] = [];
  const arrived: string[] = [];
  let end = () => {};
  const blocked = new Promise<void>((resolve) => {
    end = resolve;
  });
  const admit = concurrencyLimit({
    maxCalls: 100,
    queued: () => state.queued,
    now: () => state.now,
    isUrgent: ({ path }) => path === '/urgent',
    ...options,
  });
  const app = express();
  app.get('/{*path}', beginRequest(), ({ path }, _response, next) => {
    arrived.push(path);
    next();
  });
  app.post('/{*path}', beginRequest(), admit, (request) => {
    begun.push(request.path);
    request.resume();
  });
  app.get('/{*path}', admit, async ({ path }, response) => {
    begun.push(path);
    state.queued += state.queuedByEach;
    if (path === '/held') await blocked;
    response.json({});
  });
  app.use(answerErrors(createLogger({ level: 'silent' })));
  const server = app.listen(0);
  closing.push(() => server.close());
  const call = (path: string) =>
    supertest(server)
      .get(path)
      .then(({ status, headers, body }) => ({
        status,
        retryAfter: headers['retry-after'],
        code: body.error?.code,
      }));
  const arrivals = (count: number) => vi.waitFor(() => expect(arrived).toHaveLength(count));
  return { state, begun, call, arrivals, end, port: () => (server.address() as AddressInfo).port };
}

const REFUSED = { status: 503, code: 'UNAVAILABLE' };

test('calls beyond the most are refused at once, and let in again when others have ended', async () => {
  const { call, arrivals, end } = startService({ maxCalls: 2 });
  const held = ['/held', '/held'].map(call);
  await arrivals(2);
  expect(await call('/more')).toEqual({ ...REFUSED, retryAfter: '1' });
  end();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await call('/more')).toMatchObject({ status: 200 });
});

test('while the database is busy calls wait, and begin in their order, urgent ones first', async () => {
  const { state, begun, call, arrivals } = startService({ maxQueued: 4 });
  state.queued = 4;
  const calls: Promise<{ status: number }>[] = [];
  for (const [index, path] of ['/first', '/second', '/urgent'].entries()) {
    calls.push(call(path));
    await arrivals(index + 1);
  }
  expect(begun).toEqual([]);
  state.queued = 3;
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(begun).toEqual(['/urgent', '/first', '/second']);
});

test('calls that have waited begin in turns of the event loop that follow each other', async () => {
  const { state, begun, call, arrivals } = startService({ maxQueued: 4 });
  state.queued = 4;
  const calls = Array.from({ length: 8 }, () => call('/waiting'));
  await arrivals(8);
  const begunInTurn: number[] = [];
  const count = () => {
    begunInTurn.push(begun.length);
    if (begun.length < 8) setImmediate(count);
  };
  setImmediate(count);
  state.queued = 0;
  await Promise.all(calls);
  const neighbours = begunInTurn.filter((all, turn) => turn >= 2 && all === (begunInTurn[turn - 2] ?? 0) + 2);
  expect(neighbours).not.toEqual([]);
});

test('whoever has waited too long is refused with the time after which to try again', async () => {
  const { state, begun, call, arrivals } = startService({ maxQueued: 4, maxWaitMs: 5_000 });
  state.queued = 4;
  const calls = ['/one', '/urgent'].map(call);
  await arrivals(2);
  state.now = 5_001;
  expect(await calls[0]).toEqual({ ...REFUSED, retryAfter: '1' });
  state.queued = 0;
  expect(await calls[1]).toMatchObject({ status: 200 });
  expect(begun).toEqual(['/urgent']);
});

test('a call is refused at once where those before it will take too long', async () => {
  const { state, call, arrivals, begun, end } = startService({ maxQueued: 1, maxWaitMs: 2_500 });
  Object.assign(state, { queued: 1, queuedByEach: 1 });
  const held = Array.from({ length: 25 }, () => call('/held'));
  await arrivals(25);
  for (let count = 1; count <= 11; count += 1) {
    state.queued = 0;
    await vi.waitFor(() => expect(begun).toHaveLength(count));
    if (count < 11) state.now += 200;
  }
  // Fourteen wait, and of those before them one began every 200 ms.
  expect(await call('/more')).toEqual({ ...REFUSED, retryAfter: '1' });
  const urgent = call('/urgent');
  await arrivals(27);
  Object.assign(state, { queued: 0, queuedByEach: 0 });
  end();
  expect((await Promise.all([...held, urgent])).map(({ status }) => status)).toEqual(Array(26).fill(200));
});

test('one call that began late refuses none of those that come after it', async () => {
  const { state, call, arrivals, begun, end } = startService({ maxQueued: 1 });
  Object.assign(state, { queued: 1, queuedByEach: 1 });
  const held = Array.from({ length: 12 }, () => call('/held'));
  await arrivals(12);
  for (const count of [1, 2]) {
    state.queued = 0;
    await vi.waitFor(() => expect(begun).toHaveLength(count));
    if (count === 1) state.now += 1_000;
  }
  const more = call('/more');
  await arrivals(13);
  Object.assign(state, { queued: 0, queuedByEach: 0 });
  end();
  expect((await Promise.all([...held, more])).map(({ status }) => status)).toEqual(Array(13).fill(200));
});

test('where all places are taken, a call whose body does not come makes room, unless it is an upload', async () => {
  const { state, begun, call, port } = startService({
    maxCalls: 2,
    isUpload: ({ path }) => path === '/files',
  });
  const sending = ['/files', '/slow'].map((path) => {
    const socket = connect(port()).on('error', () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{`);
    return socket;
  });
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  state.now = 5_000;
  expect(await call('/more')).toMatchObject(REFUSED);
  const ended = once(sending[1] as Socket, 'close');
  state.now = 5_001;
  expect(await call('/more')).toMatchObject({ status: 200 });
  await ended;
  expect(sending[0]?.destroyed).toBe(false);
  sending[0]?.destroy();
});

test('a call whose client has left never begins', async () => {
  const { state, begun, call, arrivals, port } = startService({ maxQueued: 4 });
  state.queued = 4;
  const socket = connect(port());
  socket.write('GET /left HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await arrivals(1);
  socket.destroy();
  await once(socket, 'close');
  const other = call('/other');
  await arrivals(2);
  state.queued = 0;
  expect(await other).toMatchObject({ status: 200 });
  expect(begun).toEqual(['/other']);
});
