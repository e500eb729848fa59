import { once } from 'node:events';
import { get, type IncomingMessage, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type RunningServer, startServer } from '../app/listen.ts';

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** A service that notes which paths it began to answer; `/held/…` it answers when told. */
async function startService(body = 'ok') {
  const begun: string[] = [];
  const held: (() => void)[] = [];
  const app: RequestListener = ({ url = '' }, response) => {
    begun.push(url);
    const answer = () => response.end(body);
    if (url.startsWith('/held/')) held.push(answer);
    else answer();
  };
  const server = await startServer({ app, host: '127.0.0.1', port: 0, graceMs: 0 });
  running.push(server);
  const port = Number(new URL(server.url).port);
  return {
    begun,
    /** Sends calls for all paths at once, over one connection. */
    pipeline: (paths: readonly string[]) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
      return socket;
    },
    /** Makes a call over a connection of its own. */
    call: async (path: string) => {
      const [message] = (await once(get({ port, path, agent: false }), 'response')) as [IncomingMessage];
      return Buffer.concat(await message.toArray()).toString();
    },
    begins: (path: string) => vi.waitFor(() => expect(begun).toContain(path)),
    release: () => {
      for (const answer of held.splice(0)) answer();
    },
  };
}

const paths = (count: number) => Array.from({ length: count }, (_, index) => `/held/${index}`);

describe('calls sent over one connection without waiting for the answers', () => {
  it('are answered in their order, each begun when the one before it is answered', async () => {
    const { begun, pipeline, begins, release } = await startService();
    const socket = pipeline(paths(3));
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    for (const path of paths(3)) {
      await begins(path);
      expect(begun.at(-1)).toBe(path);
      release();
    }
    await vi.waitFor(() => expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3));
    expect(begun).toEqual(paths(3));
    socket.destroy();
  });

  it('are not begun while nobody reads the answer before them', async () => {
    // More than the buffers of a connection hold.
    const { begun, pipeline, call, begins } = await startService('x'.repeat(32 * 1024 * 1024));
    const socket = pipeline(['/first', '/second', '/third']).pause();
    await begins('/first');
    await call('/other');
    expect(begun).toEqual(['/first', '/other']);
    socket.destroy();
  });

  it('are not begun when their client has left', async () => {
    const { begun, pipeline, call, begins, release } = await startService();
    const socket = pipeline(paths(3));
    await begins('/held/0');
    socket.destroy();
    await call('/other');
    release();
    await call('/another');
    expect(begun).toEqual(['/held/0', '/other', '/another']);
  });

  it('end the connection where more than 16 of them wait', async () => {
    const { begun, pipeline, begins, release } = await startService();
    const patient = pipeline(paths(17));
    await begins('/held/0');
    const greedy = pipeline(['/held/greedy', ...paths(17)]);
    greedy.on('error', () => {});
    await once(greedy, 'close');
    expect(begun).toEqual(['/held/0', '/held/greedy']);
    for (const path of paths(17)) {
      await begins(path);
      release();
    }
    patient.destroy();
  });
});
