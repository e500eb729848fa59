import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../app/listen.ts';

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

// More than the buffers of a connection hold.
const LONG = 'x'.repeat(24 * 1024 * 1024);

async function open(app: RequestListener, unreadMs: number) {
  const server = await startServer({ app, host: '127.0.0.1', port: 0, graceMs: 0, timeouts: { unreadMs } });
  running.push(server);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  return socket;
}

const inPieces: RequestListener = async (_request, response) => {
  for (let sent = 0; sent < LONG.length && !response.closed; sent += 65_536) {
    if (!response.write(LONG.slice(0, 65_536))) {
      await Promise.race(['drain', 'close'].map((event) => once(response, event)));
    }
  }
  response.end();
};

it.each<[string, RequestListener]>([
  ['sent whole', (_request, response) => response.end(LONG)],
  ['sent in pieces', inPieces],
])('an answer %s that nobody reads is given up', async (_name, app) => {
  let closed = () => {};
  const closing = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const socket = await open((request, response) => {
    response.once('close', closed);
    app(request, response);
  }, 60);
  await closing;
  let received = 0;
  socket.on('data', (part) => {
    received += part.length;
  });
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(received).toBeLessThan(LONG.length);
});

it('sending more does not keep a connection open that reads nothing', async () => {
  let sending: NodeJS.Timeout | undefined;
  const closed = new Promise((resolve) => {
    const app: RequestListener = (_request, response) => response.once('close', resolve).end(LONG);
    void open(app, 60).then((socket) => {
      sending = setInterval(() => socket.write('\r\n'), 10);
    });
  });
  await closed;
  clearInterval(sending);
});

it('an answer that is read slowly is sent whole', async () => {
  const socket = await open((_request, response) => response.end(LONG), 150);
  let received = 0;
  for await (const part of socket) {
    received += part.length;
    // As a client does that works on what it reads; in all it takes many times what it may read nothing for.
    if (received % 3 === 0) await setTimeout(3);
  }
  expect(received).toBeGreaterThan(LONG.length);
});

it('an answer that is long in coming, or quiet, is waited for', async () => {
  const socket = await open(async (_request, response) => {
    response.write('begun');
    await setTimeout(200);
    response.end('ended');
  }, 20);
  expect((await socket.setEncoding('utf8').toArray()).join('')).toMatch(/begun.*ended/s);
});
