import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { createSecretBox } from '@svc-memory/core';
import { describe, expect, it, vi } from 'vitest';
import { useServer } from '../../../test/kit/use-server.ts';
import { caller, useApp } from '../app/app.fixture.ts';
import { EventStream } from './stream.ts';

let stream: EventStream;
const logger = { warn: () => {} };
/** Looks for the position at which streams begin, while these are held back. */
let heldLooks: (() => void)[] | undefined;
/** What the streams asked of the log of events. */
let asked: string[] = [];
const webhooks = { secrets: createSecretBox('secret of the test') };
const test = useApp(
  ({ engine }) => {
    const { events } = engine;
    const position: typeof events.position = async (...asked) => {
      await new Promise<void>((resolve) => (heldLooks ? heldLooks.push(resolve) : resolve()));
      return events.position(...asked);
    };
    const after: typeof events.after = (...given) => {
      asked.push('after');
      return events.after(...given);
    };
    const withNews: typeof events.withNews = (positions) => {
      asked.push(`news of ${positions.size}`);
      return events.withNews(positions);
    };
    const slow = Object.create(engine, { events: { value: { ...events, position, after, withNews } } });
    stream = new EventStream({
      engine: slow,
      logger,
      perAgent: 3,
      perAccount: 4,
      total: 5,
      pollMs: 30,
      heartbeatMs: 60,
    });
    return { eventStream: stream };
  },
  { webhooks },
);
let connections: number | undefined;
const server = createServer((request, response) => test.app(request, response));
const listening = useServer(server);

/** Before all events. */
const FIRST = { transaction: '0', id: '00000000-0000-0000-0000-000000000000' };

interface Seen {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly retryAfter: string | undefined;
  text(): string;
  events(): { id: string; type: string; data: Record<string, unknown> }[];
  readonly ended: Promise<void>;
  leave(): void;
}

function listen(bearer: string, headers: Record<string, string> = {}): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port: listening.port, path: '/api/v1/events/stream', headers: { authorization: bearer, ...headers } },
      (response: IncomingMessage) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        const ended = new Promise<void>((done) => response.once('close', done));
        resolve({
          status: response.statusCode,
          type: response.headers['content-type'],
          retryAfter: response.headers['retry-after'],
          text: () => text,
          events: () =>
            [...text.matchAll(/^id: .+\ndata: (.+)\n\n/gm)].map(([, data = '']) => JSON.parse(data)),
          ended,
          leave: () => request.destroy(),
        });
      },
    );
    request.on('error', reject);
    request.end();
  });
}

async function newAgent(scope: 'full' | 'read' = 'full') {
  const { tenantId, keyId } = await test.signIn();
  const { secret } = await test.kit.engine.apiKeys.create(tenantId, { name: 'stream', scope });
  const memory = test.kit.engine.agent(tenantId);
  const note = (content: string) => memory.remember({ type: 'working', content });
  return { tenantId, keyId, bearer: `Bearer ${secret}`, memory, note };
}

describe('GET /events/stream', () => {
  it("shows the tenant's own events from now on, without content", async () => {
    const { bearer, note, tenantId } = await newAgent('read');
    const other = await newAgent();
    await note('before');
    // While an older transaction still runs, what came after it began counts as news.
    await vi.waitFor(async () =>
      expect(await test.kit.engine.events.after(tenantId, FIRST, 10)).toHaveLength(1),
    );
    const seen = await listen(bearer);
    expect([seen.status, seen.type]).toEqual([200, 'text/event-stream']);
    await other.note('foreign');
    await note('canary-content');
    await vi.waitFor(() => expect(seen.events()).toHaveLength(1));
    expect(seen.events()[0]).toMatchObject({
      type: 'memory.stored',
      data: { memory_id: expect.any(String) },
    });
    await vi.waitFor(() => expect(seen.text()).toContain(': heartbeat'));
    expect(seen.events()).toHaveLength(1);
    expect(seen.text()).not.toContain('canary-content');
    seen.leave();
  });

  it('goes on after the last event the client saw, each one once and in order', async () => {
    const { bearer, note, memory } = await newAgent();
    const first = await listen(bearer);
    await note('1');
    await note('2');
    await vi.waitFor(() => expect(first.events()).toHaveLength(2));
    first.leave();
    await memory.rememberBatch({
      memories: Array.from({ length: 450 }, (_, n) => ({ type: 'working' as const, content: `n${n}` })),
    });
    const last = first.events()[0]?.id ?? '';
    const resumed = await listen(bearer, { 'last-event-id': last });
    await note('3');
    await vi.waitFor(() => expect(resumed.events()).toHaveLength(452));
    const ids = resumed.events().map(({ id }) => id);
    expect(ids[0]).toBe(first.events()[1]?.id);
    expect(new Set(ids).size).toBe(452);
    expect([...ids].sort()).toEqual(ids);
    resumed.leave();
  });

  it('costs the database few questions, however many events come at once', async () => {
    const { bearer, memory, note } = await newAgent();
    const seen = await listen(bearer);
    asked = [];
    await memory.rememberBatch({
      memories: Array.from({ length: 450 }, (_, n) => ({ type: 'working' as const, content: `n${n}` })),
    });
    await note('after them');
    await vi.waitFor(() => expect(seen.events()).toHaveLength(451), 10_000);
    await vi.waitFor(() => expect(asked.at(-1)).toBe('news of 1'), 10_000);
    expect(asked.filter((one) => one === 'after').length).toBeLessThan(100);
    seen.leave();
  });

  it('gives back the place of a client that left before its stream began', async () => {
    const { bearer } = await newAgent();
    const looks: (() => void)[] = [];
    heldLooks = looks;
    const left = Array.from({ length: 6 }, () => {
      const socket = connect(listening.port, '127.0.0.1');
      socket.write(
        `GET /api/v1/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer}\r\n\r\n`,
      );
      return socket;
    });
    await vi.waitFor(() => expect(looks).toHaveLength(6));
    for (const socket of left) socket.destroy();
    await vi.waitFor(() => {
      server.getConnections((_error, count) => {
        connections = count;
      });
      expect(connections).toBe(0);
    });
    heldLooks = undefined;
    for (const look of looks) look();
    const seen = await listen(bearer);
    expect(seen.status).toBe(200);
    seen.leave();
  });

  it('goes on where it began after a connection that was lost before the first event', async () => {
    const { bearer, note } = await newAgent();
    const first = await listen(bearer);
    await vi.waitFor(() => expect(first.text()).toMatch(/^id: /m));
    const [, last = ''] = /^id: (.+)\n\n/m.exec(first.text()) ?? [];
    first.leave();
    await first.ended;
    await note('missed');
    const again = await listen(bearer, { 'last-event-id': last });
    await vi.waitFor(() => expect(again.events()).toHaveLength(1));
    expect(again.text()).not.toContain('resync');
    again.leave();
  });

  it('says resync where the last event is not known here', async () => {
    const { bearer } = await newAgent();
    const foreign = await newAgent();
    const theirs = await listen(foreign.bearer);
    await foreign.note('x');
    await vi.waitFor(() => expect(theirs.events()).toHaveLength(1));
    theirs.leave();
    const [, beginning = ''] = /^id: (\S+)\n\n/m.exec(theirs.text()) ?? [];
    expect(beginning).not.toBe('');
    for (const last of ['nonsense', '1:2', beginning, theirs.events()[0]?.id ?? '']) {
      const seen = await listen(bearer, { 'last-event-id': last });
      await vi.waitFor(() => expect(seen.text()).toContain('event: resync\n'));
      expect(seen.events()).toEqual([]);
      seen.leave();
    }
  });

  it('hears of what another process wrote', async () => {
    const { tenantId, bearer } = await newAgent();
    const seen = await listen(bearer);
    const { createEngine } = await import('@svc-memory/core');
    const elsewhere = createEngine({ database: test.kit.engine.database, clock: test.kit.clock });
    await elsewhere.agent(tenantId).remember({ type: 'working', content: 'x' });
    await vi.waitFor(() => expect(seen.events()).toHaveLength(1));
    seen.leave();
  });

  it('asks the database once for all agents of whom there is nothing new', async () => {
    const agents = await Promise.all([newAgent(), newAgent(), newAgent()]);
    const streams = await Promise.all(agents.map(({ bearer }) => listen(bearer)));
    await vi.waitFor(() => expect(asked.at(-1)).toBe('news of 3'));
    asked = [];
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(3));
    expect(new Set(asked)).toEqual(new Set(['news of 3']));
    for (const one of streams) one.leave();
  });

  it('ends when its key is revoked', async () => {
    const { tenantId, bearer, note } = await newAgent();
    const seen = await listen(bearer);
    for (const { id } of await test.kit.engine.apiKeys.list(tenantId)) {
      await test.kit.engine.apiKeys.revoke(tenantId, id);
    }
    await seen.ended;
    await note('after');
    expect(seen.events()).toEqual([]);
    expect((await listen(bearer)).status).toBe(401);
  });

  it('needs a credential, and is read with GET only', async () => {
    expect((await listen('')).status).toBe(401);
    const { tenantId, bearer } = await newAgent();
    // The stream is of the agent with all its users.
    const bound = await test.kit.engine.apiKeys.create(tenantId, { name: 'b', scope: 'full', userId: 'u1' });
    expect((await listen(`Bearer ${bound.secret}`)).status).toBe(403);
    await caller(test.app, bearer)('post', '/events/stream').expect(405);
  });

  it('threat 11: of too many streams the later ones are refused', async () => {
    const { bearer } = await newAgent();
    const many = await Promise.all(Array.from({ length: 6 }, () => listen(bearer)));
    expect(many.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
    expect(new Set(many.map(({ retryAfter }) => retryAfter))).toEqual(new Set([undefined, '5']));
    const other = await newAgent();
    const more = await Promise.all(Array.from({ length: 3 }, () => listen(other.bearer)));
    expect(more.map(({ status }) => status).sort()).toEqual([200, 200, 503]);
    for (const one of [...many, ...more]) one.leave();
    await vi.waitFor(async () => {
      const again = await listen(bearer);
      again.leave();
      expect(again.status).toBe(200);
    });
  });

  it('the agents of one human share their places, and leave those of others', async () => {
    const [first, second] = [await newAgent(), await newAgent()];
    // Agents that nobody has become the owner's.
    await test.kit.engine.accounts.ensureLocalOwner('Wren');
    const other = await newAgent();
    const theirs = [];
    for (const { bearer } of [first, first, first, second, second]) theirs.push(await listen(bearer));
    expect(theirs.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    const apart = await listen(other.bearer);
    expect(apart.status).toBe(200);
    for (const one of [...theirs, apart]) one.leave();
    await vi.waitFor(async () => {
      const again = await listen(second.bearer);
      again.leave();
      expect(again.status).toBe(200);
    });
  });

  // The last one: it ends the streams of this file.
  it('ends when the service stops, and nothing more is written to a client that does not read', async () => {
    const { bearer } = await newAgent();
    const seen = await listen(bearer);
    const answered = once(server, 'request');
    const unread = connect(listening.port, '127.0.0.1').on('error', () => {});
    unread.write(`GET /api/v1/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer}\r\n\r\n`);
    const [, response]: ServerResponse[] = await answered;
    const failures: Error[] = [];
    response?.on('error', (error) => failures.push(error));
    await vi.waitFor(() => expect(response?.headersSent).toBe(true), 10_000);
    // More than the system takes for a client that does not read.
    response?.write(Buffer.alloc(16 * 1024 * 1024));
    stream.close();
    await seen.ended;
    const checks = vi.spyOn(test.kit.engine.apiKeys, 'authenticate');
    await vi.waitFor(() => expect(checks.mock.calls.length).toBeGreaterThan(1), 10_000);
    expect(failures).toEqual([]);
    unread.destroy();
    expect((await listen(bearer)).status).toBe(503);
  });
});
