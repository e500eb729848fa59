import type { Engine, EventPosition, LoggedEvent } from '@svc-memory/core';
import { SvcError } from '@svc-memory/core/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { type Caller, callerOf } from '../access/credential.ts';

/** How live streams behave; the defaults suit production. */
export interface EventStreamOptions {
  readonly engine: Engine;
  readonly logger: Pick<Logger, 'warn'>;
  /** Streams one tenant may have open in this process. Default 10. */
  readonly perTenant?: number;
  /** Streams this process has open at most. Default 1,000. */
  readonly total?: number;
  /** Milliseconds between two looks for what other processes wrote. Default 1,000. */
  readonly pollMs?: number;
  /** Milliseconds between heartbeats, each of which checks the credential again. Default 15,000. */
  readonly heartbeatMs?: number;
}

/** The live streams of one process. */
export interface EventStream {
  /**
   * Answers `GET /events/stream` for a caller who is let through already.
   *
   * @param signIn Checks the credential again, as it was checked first.
   */
  handler(signIn: RequestHandler): RequestHandler;
  /** Ends all streams: clients come back and find another process, or this one when it is back. */
  close(): void;
}

interface Listener {
  readonly caller: Caller;
  readonly response: Response;
  position: EventPosition;
}

const PAGE = 200;
// What a client may leave unread before it is cut off; it resumes where it was.
const MAX_UNREAD_BYTES = 1024 * 1024;
const RECONNECT_MS = 2_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Live streams of events by Server-Sent Events. Each follows the outbox, so that it hears of what any process wrote, in
 * an order that never changes; this process's own events are looked for at once.
 */
export function createEventStream(options: EventStreamOptions): EventStream {
  const { engine, logger, perTenant = 10, total = 1_000, pollMs = 1_000, heartbeatMs = 15_000 } = options;
  const tenants = new Map<string, Set<Listener>>();
  const polling = new Map<string, Promise<void>>();
  let open = 0;
  let closed = false;

  const poll = async (tenantId: string) => {
    for (;;) {
      const listeners = [...(tenants.get(tenantId) ?? [])];
      const [first, ...others] = listeners.map(({ position }) => position);
      if (!first) return;
      const from = others.reduce((least, one) => (isAfter(least, one) ? one : least), first);
      const page = await engine.events.after(tenantId, from, PAGE);
      for (const listener of listeners) send(listener, page);
      if (page.length < PAGE) return;
    }
  };

  /** Looks for news of a tenant; one look at a time, and one more when news came meanwhile. */
  const look = (tenantId: string) => {
    const running = polling.get(tenantId);
    const next = (running ?? Promise.resolve())
      .then(() => poll(tenantId))
      .catch((err: unknown) => logger.warn({ err }, 'live streams could not be served; they go on shortly'))
      .finally(() => {
        if (polling.get(tenantId) === next) polling.delete(tenantId);
      });
    polling.set(tenantId, next);
  };

  engine.use({
    name: 'live-streams',
    hooks: {
      event: ({ tenantId }) => {
        if (tenants.has(tenantId)) look(tenantId);
      },
    },
  });
  const timer = setInterval(() => {
    for (const tenantId of tenants.keys()) if (!polling.has(tenantId)) look(tenantId);
  }, pollMs);
  timer.unref();

  const reserve = (tenantId: string) => {
    if (closed || open >= total)
      throw new SvcError('UNAVAILABLE', 'No more live streams here; try again shortly.');
    const listeners = tenants.get(tenantId) ?? new Set<Listener>();
    if (listeners.size >= perTenant) {
      throw new SvcError(
        'RATE_LIMITED',
        `There are ${perTenant} live streams of this agent already; close one.`,
      );
    }
    tenants.set(tenantId, listeners);
    return listeners;
  };

  const serve = async (request: Request, response: Response, signIn: RequestHandler) => {
    const caller = callerOf(response);
    const { tenantId } = caller;
    const last = request.get('last-event-id');
    const resumed = last && UUID.test(last) ? await engine.events.position(tenantId, last) : undefined;
    const position = resumed ?? (await engine.events.position(tenantId));
    if (!position) throw new SvcError('UNAVAILABLE', 'The events cannot be read now.');
    // Without a pause after it: of many that come at once none may pass the bound.
    const listeners = reserve(tenantId);
    const listener: Listener = { caller, response, position };
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    if (request.method === 'HEAD') {
      response.end();
      if (listeners.size === 0) tenants.delete(tenantId);
      return;
    }
    response.write(`retry: ${RECONNECT_MS}\n\n`);
    // What the client missed is not kept any more: it should read anew whatever it shows.
    if (last && !resumed) response.write('event: resync\ndata: {}\n\n');
    listeners.add(listener);
    open += 1;
    const heartbeat = setInterval(async () => {
      if (await isStillAllowed(request, response, signIn, caller)) response.write(': heartbeat\n\n');
      else response.end();
    }, heartbeatMs);
    heartbeat.unref();
    response.once('close', () => {
      clearInterval(heartbeat);
      open -= 1;
      listeners.delete(listener);
      if (listeners.size === 0) tenants.delete(tenantId);
    });
    look(tenantId);
  };

  return {
    handler: (signIn) => (request, response) => serve(request, response, signIn),
    close: () => {
      closed = true;
      clearInterval(timer);
      for (const listeners of tenants.values()) for (const { response } of listeners) response.end();
    },
  };
}

function send(listener: Listener, page: readonly LoggedEvent[]): void {
  for (const { event, position, hidden } of page) {
    const { response, caller } = listener;
    if (response.writableEnded || !isAfter(position, listener.position)) continue;
    listener.position = position;
    if (hidden && caller.kind === 'human') continue;
    const { id, type, timestamp, tenantId, data } = event;
    const body = { id, type, timestamp: timestamp.toISOString(), tenant_id: tenantId, data };
    response.write(`id: ${id}\ndata: ${JSON.stringify(body)}\n\n`);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  }
}

/** Runs the sign-in of the first moment again: a key may have been revoked, a session ended. */
async function isStillAllowed(request: Request, response: Response, signIn: RequestHandler, before: Caller) {
  try {
    await signIn(request, response, () => {});
    return callerOf(response).tenantId === before.tenantId;
  } catch {
    return false;
  }
}

function isAfter(a: EventPosition, b: EventPosition): boolean {
  const [first, second] = [BigInt(a.transaction), BigInt(b.transaction)];
  return first === second ? a.id > b.id : first > second;
}
