import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener, request } from 'node:http';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { exchange } from './app.fixture.ts';
import { type RunningServer, type ServerOptions, startServer } from './listen.ts';

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

const start = async (app: RequestListener, options: Partial<ServerOptions> = {}) => {
  const server = await startServer({ app, host: '127.0.0.1', port: 0, graceMs: 0, ...options });
  running.push(server);
  return { server, port: Number(new URL(server.url).port) };
};
const ok: RequestListener = (_request, response) => response.end('ok');

/** An app that holds every answer back until told, and tells when a request has come in. */
function holding() {
  const held: (() => void)[] = [];
  const arrived: (() => void)[] = [];
  const app: RequestListener = (_request, response) => {
    held.push(() => response.end('done'));
    arrived.shift()?.();
  };
  return {
    app,
    arrival: () => new Promise<void>((resolve) => arrived.push(resolve)),
    release: () => {
      for (const end of held.splice(0)) end();
    },
  };
}

/** Waits until new connections are refused. */
function refused(port: number): Promise<void> {
  return vi.waitFor(async () => {
    const socket = connect(port, '127.0.0.1');
    const error = once(socket, 'connect').then(
      () => undefined,
      ({ code }: NodeJS.ErrnoException) => code,
    );
    expect(await error.finally(() => socket.destroy())).toBe('ECONNREFUSED');
  });
}

/** Callers in a thread of their own, each of which calls until a call fails. Resolves to how those failed. */
async function callers(count: number, port: number): Promise<string[]> {
  const call = `
    const { get } = require('node:http');
    const { parentPort, workerData: { count, port } } = require('node:worker_threads');
    const call = (end) => {
      const again = () => setTimeout(call, 3 * Math.random(), end);
      get({ host: '127.0.0.1', port, agent: false }, (response) => response.resume().once('end', again))
        .once('error', ({ syscall, code }) => end(syscall + ' ' + code));
    };
    const caller = () => new Promise(call);
    Promise.all(Array.from({ length: count }, caller)).then((ends) => parentPort.postMessage(ends));
  `;
  const [ends] = await once(new Worker(call, { eval: true, workerData: { count, port } }), 'message');
  return ends;
}

async function answer(incoming: Promise<unknown[]>): Promise<string> {
  const [message] = (await incoming) as [IncomingMessage];
  return Buffer.concat(await message.toArray()).toString();
}

describe('closing', () => {
  it('lets calls in progress end, takes no new ones, then runs afterClose', async () => {
    const order: string[] = [];
    const hold = holding();
    const { server, port } = await start(hold.app, {
      graceMs: 60_000,
      afterClose: async () => {
        order.push('engine closed');
      },
    });
    const keepAlive = new Agent({ keepAlive: true });
    const arrived = hold.arrival();
    const inFlight = answer(once(get({ port, agent: keepAlive }), 'response'));
    await arrived;
    const closed = server.close().then(() => order.push('closed'));
    await refused(port);
    hold.release();
    expect(await inFlight).toBe('done');
    order.push('answered');
    await closed;
    expect(order.slice().sort()).toEqual(['answered', 'closed', 'engine closed']);
    expect(order.indexOf('engine closed')).toBeLessThan(order.indexOf('closed'));
    keepAlive.destroy();
  });

  it('answers a call sent over an open connection while it ends, as the last of that connection', async () => {
    const { server, port } = await start(ok, { graceMs: 60_000, lingerMs: 60_000 });
    const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
    await answer(once(get({ port, agent: keepAlive }), 'response'));
    const closed = server.close();
    await refused(port);
    const [message] = (await once(get({ port, agent: keepAlive }), 'response')) as [IncomingMessage];
    expect(message.headers.connection).toBe('close');
    expect(Buffer.concat(await message.toArray()).toString()).toBe('ok');
    await closed;
    keepAlive.destroy();
  });

  it('does not wait for idle connections', async () => {
    const { server, port } = await start(ok, { graceMs: 60_000 });
    const keepAlive = new Agent({ keepAlive: true });
    await answer(once(get({ port, agent: keepAlive }), 'response'));
    const silent = connect(port, '127.0.0.1');
    await once(silent, 'connect');
    await server.close();
    keepAlive.destroy();
    silent.destroy();
  });

  it('ends what takes longer than the grace period', async () => {
    const hold = holding();
    const { server, port } = await start(hold.app, { graceMs: 0 });
    const arrived = hold.arrival();
    const inFlight = once(get({ port }), 'response');
    await arrived;
    await Promise.all([server.close(), expect(inFlight).rejects.toThrow()]);
  });

  it('ends a call, too, that came after the grace period to a process that is busy', async () => {
    let busy = true;
    const work = () => {
      for (const until = performance.now() + 5; performance.now() < until; );
      if (busy) setImmediate(work);
    };
    const { server, port } = await start(() => {}, { graceMs: 0 });
    work();
    const closed = server.close();
    const call = once(get({ port, agent: false }), 'response');
    await Promise.all([closed, expect(call).rejects.toThrow()]);
    busy = false;
  });

  it('answers or refuses calls that keep coming over new connections to a busy process, and resets none', async () => {
    const work = () => {
      for (const until = performance.now() + 2; performance.now() < until; );
    };
    let answered = 0;
    const { server, port } = await start(
      (_request, response) => {
        work();
        setTimeout(() => {
          work();
          answered += 1;
          response.end('ok');
        }, 2);
      },
      { graceMs: 60_000 },
    );
    const ends = callers(16, port);
    await vi.waitFor(() => expect(answered).toBeGreaterThan(50), { timeout: 30_000 });
    await server.close();
    expect(new Set(await ends)).toEqual(new Set(['connect ECONNREFUSED']));
  });

  it('twice runs afterClose once', async () => {
    let count = 0;
    const { server } = await start(ok, {
      afterClose: async () => {
        count += 1;
      },
    });
    await Promise.all([server.close(), server.close()]);
    expect(count).toBe(1);
  });
});

describe('an address that cannot be used', () => {
  it('names the port and SVC_PORT when it is taken', async () => {
    const { port } = await start(ok);
    await expect(startServer({ app: ok, host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringMatching(new RegExp(`${port}.*SVC_PORT`)),
    });
  });

  it('names SVC_HOST when the machine does not have it', async () => {
    await expect(startServer({ app: ok, host: '203.0.113.1', port: 0 })).rejects.toThrow('SVC_HOST');
  });
});

describe('what is no proper HTTP', () => {
  const cases: [string, string, number][] = [
    ['garbage', 'HELLO\r\n\r\n', 400],
    [
      'Content-Length with Transfer-Encoding',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'two Content-Lengths',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
      400,
    ],
    ['a line break in a header', 'GET / HTTP/1.1\r\nHost: localhost\r\nX: a\nb\rc\r\n\r\n', 400],
    ['NUL in a header', 'GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\u0000b\r\n\r\n', 400],
    ['64 KiB of headers', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(65_536)}\r\n\r\n`, 431],
  ];
  it.each(cases)('%s gets the error body and a closed connection', async (_name, bytes, status) => {
    const { port } = await start(ok);
    const [head = '', body = ''] = (await exchange(port, bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain('Connection: close');
    expect(JSON.parse(body)).toMatchObject({
      success: false,
      error: {
        code: status === 400 ? 'VALIDATION_ERROR' : 'PAYLOAD_TOO_LARGE',
        message: expect.any(String),
        request_id: expect.any(String),
      },
    });
  });

  it('headers that trickle in are given up', async () => {
    const { port } = await start(ok, { timeouts: { headers: 20, request: 40 } });
    expect(await exchange(port, 'GET / HTTP/1.1\r\nHost: local')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('chunks with endless extensions are told as too large', async () => {
    const { port } = await start((incoming) => incoming.resume());
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = await exchange(port, `${head}1;${'x'.repeat(65_536)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*"code":"PAYLOAD_TOO_LARGE"/s);
  });

  it('a body that trickles in is given up', async () => {
    const app: RequestListener = (incoming) => incoming.resume();
    const { port } = await start(app, { timeouts: { headers: 20, request: 40 } });
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{';
    expect(await exchange(port, head)).toMatch(/^HTTP\/1\.1 408 .*"code":"UNAVAILABLE"/s);
  });

  describe('files that are uploaded', () => {
    const upload = { bytes: 10, spanMs: 200 };
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200\r\nConnection: close\r\n\r\n`;
    const whole: RequestListener = async (incoming, response) => {
      const parts = await incoming.toArray().catch(() => []);
      response.end(`${Buffer.concat(parts).length} bytes`);
    };
    /** Sends 20 bytes every 40 ms and answers what comes back. */
    const sendSlowly = async (port: number, path: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.setEncoding('utf8').write(head(path));
      let rest = 200;
      const timer = setInterval(() => {
        socket.write('x'.repeat(20));
        rest -= 20;
        if (rest === 0) clearInterval(timer);
      }, 40);
      return (await socket.toArray().finally(() => clearInterval(timer))).join('');
    };

    it.each([
      '/api/v1/import?name=a.md',
      '/api/v1/import',
      '/api/v1/import/?name=a.md',
      'http://localhost/api/v1/import?name=a.md',
    ])('may take longer than a request as long as they keep coming: %s', async (path) => {
      const { port } = await start(whole, { timeouts: { request: 100, upload } });
      expect(await sendSlowly(port, path)).toMatch(/^HTTP\/1\.1 200 .*200 bytes$/s);
    });

    it('are the only bodies that may', async () => {
      const { port } = await start(whole, { timeouts: { request: 100, upload } });
      expect(await sendSlowly(port, '/api/v1/memories')).toMatch(/^HTTP\/1\.1 408 /);
    });

    it('are given up when they trickle, and when nothing is read of them any more', async () => {
      const { port } = await start(whole, { timeouts: { request: 60_000, upload } });
      expect(await exchange(port, `${head('/api/v1/import')}xxx`)).toMatch(/^HTTP\/1\.1 408 /);
      const refusing: RequestListener = (_incoming, response) => {
        response.writeHead(401, { 'Content-Length': 0 }).end();
      };
      const { port: other } = await start(refusing, { timeouts: { request: 60_000, upload } });
      const keptOpen = head('/api/v1/import').replace('close', 'keep-alive');
      expect(await exchange(other, keptOpen)).toMatch(/^HTTP\/1\.1 401 /);
    });

    it('are waited for while it is this side that does not read', async () => {
      const hold = holding();
      const { port } = await start(hold.app, {
        timeouts: { request: 60_000, upload: { bytes: 10, spanMs: 20 } },
      });
      const arrived = hold.arrival();
      const answered = exchange(port, `${head('/api/v1/import')}${'x'.repeat(100)}`);
      await arrived;
      const first = await Promise.race([
        answered,
        new Promise((resolve) => setTimeout(resolve, 200, 'waited')),
      ]);
      expect(first).toBe('waited');
      hold.release();
      expect(await answered).toMatch(/^HTTP\/1\.1 200 /);
    });
  });

  it('leaves an answer alone that has begun', async () => {
    const app: RequestListener = (_incoming, response) => {
      response.write('begun');
    };
    const { port } = await start(app);
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('utf8').write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [received] = await once(socket, 'data');
    socket.write('GARBAGE\r\n\r\n');
    expect(await socket.toArray()).toEqual([]);
    expect(received).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});

it('a stopped server answers nothing', async () => {
  const { server } = await start(ok);
  await server.close();
  const attempt = request(server.url).end();
  await expect(once(attempt, 'response')).rejects.toThrow('ECONNREFUSED');
});
