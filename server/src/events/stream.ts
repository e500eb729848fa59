import type { Engine, EventPosition, LoggedEvent } from '@svc-memory/core';
import { SvcError } from '@svc-memory/core/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { type Caller, callerOf, isStillAllowed } from '../access/credential.ts';
import { refuseTooMany } from '../limits/bucket.ts';

/** How live streams behave; the defaults suit production. */
export interface EventStreamOptions {
  readonly engine: Engine;
  readonly logger: Pick<Logger, 'warn'>;
  /** Streams one agent may have open in this process. Default 10. */
  readonly perAgent?: number;
  /** Streams that all agents of one account may have open in this process. Default 100. */
  readonly perAccount?: number;
  /** Streams this process has open at most. Default 1,000. */
  readonly total?: number;
  /** Milliseconds between two looks for what other processes wrote. Default 1,000. */
  readonly pollMs?: number;
  /** Milliseconds between heartbeats, each of which checks the credential again. Default 15,000. */
  readonly heartbeatMs?: number;
}

interface Listener {
  readonly caller: Caller;
  readonly accountId: string;
  readonly response: Response;
  readonly isAllowed: () => Promise<boolean>;
  position: EventPosition;
}

const PAGE = 200;
// What a client may leave unread before it is cut off; it resumes where it was.
const MAX_UNREAD_BYTES = 1024 * 1024;
const RECONNECT_MS = 2_000;
const RETRY_AFTER_S = 5;

/**
 * The live streams of one process, by Server-Sent Events. Each stream follows the outbox in the database. It therefore
 * gets what any process wrote, in an order that never changes; this process's own events are looked for at once.
 */
export class EventStream {
  readonly #engine: Engine;
  readonly #logger: EventStreamOptions['logger'];
  readonly #perAgent: number;
  readonly #perAccount: number;
  readonly #total: number;
  readonly #heartbeatMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Map<string, Set<Listener>>();
  /** The tenants of which a look is under way, and whether news came meanwhile. */
  readonly #looks = new Map<string, { again: boolean }>();
  #lookingForNews = false;
  #open = 0;
  #isClosed = false;

  constructor(options: EventStreamOptions) {
    const { engine, logger, perAgent = 10, perAccount = 100, total = 1_000 } = options;
    const { pollMs = 1_000, heartbeatMs = 15_000 } = options;
    this.#engine = engine;
    this.#logger = logger;
    this.#perAgent = perAgent;
    this.#perAccount = perAccount;
    this.#total = total;
    this.#heartbeatMs = heartbeatMs;
    engine.use({
      name: 'live-streams',
      hooks: {
        event: ({ tenantId }) => {
          if (this.#listeners.has(tenantId)) void this.#look(tenantId);
        },
      },
    });
    this.#timer = setInterval(() => void this.#lookForNews(), pollMs);
    this.#timer.unref();
  }

  /**
   * Answers `GET /events/stream` for a caller who is let through already.
   *
   * @param signIn Checks the credential again, as it was checked first.
   */
  handler(signIn: RequestHandler): RequestHandler {
    return (request, response) => this.#serve(request, response, signIn);
  }

  /** Checks the streams of a human at once, and ends those whose session has ended. */
  recheck(userId: string): void {
    for (const listener of this.#all()) {
      const { caller } = listener;
      if (caller.kind === 'human' && caller.credentialId === userId) void keepIfAllowed(listener);
    }
  }

  /** Ends all streams. Clients come back and find another process, or this one after its restart. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { response } of this.#all()) response.end();
  }

  #all(): Listener[] {
    return [...this.#listeners.values()].flatMap((listeners) => [...listeners]);
  }

  async #serve(request: Request, response: Response, signIn: RequestHandler): Promise<void> {
    const caller = callerOf(response);
    const { tenantId } = caller;
    const { events, accounts } = this.#engine;
    const accountId = await accounts.accountOf(tenantId);
    const last = request.get('last-event-id');
    const resumed = last ? await events.position(tenantId, last) : undefined;
    const position = resumed ?? (await events.position(tenantId));
    if (!position) throw new SvcError('UNAVAILABLE', 'The events cannot be read now.');
    // The client left meanwhile: the event by which a stream ends has been.
    if (response.closed) return;
    // Nothing is awaited between the reservation and `#follow`: of many calls at once none may pass the limit.
    const listeners = this.#reserve(tenantId, accountId, response);
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    if (request.method === 'HEAD') {
      response.end();
      if (listeners.size === 0) this.#listeners.delete(tenantId);
      return;
    }
    response.write(`retry: ${RECONNECT_MS}\n\n`);
    // The events that the client missed are no longer kept: it must read anew whatever it shows.
    if (last && !resumed) response.write('event: resync\ndata: {}\n\n');
    // An id without data is no event. A client that loses its connection before the first one sends it, and misses nothing.
    const beginning = resumed ? undefined : events.toText(tenantId, position);
    if (beginning) response.write(`id: ${beginning}\n\n`);
    const isAllowed = () => isStillAllowed(request, response, { identify: signIn, tenantId });
    this.#follow(listeners, { caller, accountId, response, position, isAllowed });
  }

  #reserve(tenantId: string, accountId: string, response: Response): Set<Listener> {
    if (this.#isClosed || this.#open >= this.#total)
      throw new SvcError('UNAVAILABLE', 'No more live streams here; try again shortly.');
    const listeners = this.#listeners.get(tenantId) ?? new Set<Listener>();
    const refuse = (most: number, whose: string) =>
      refuseTooMany(
        response,
        { retryAfter: RETRY_AFTER_S },
        `There are ${most} live streams of ${whose} already; close one.`,
      );
    if (listeners.size >= this.#perAgent) refuse(this.#perAgent, 'this agent');
    // A human may have a hundred agents, which together would take the places of everybody else.
    const ofAccount = this.#all().filter((listener) => listener.accountId === accountId);
    if (ofAccount.length >= this.#perAccount) refuse(this.#perAccount, "this agent's account");
    this.#listeners.set(tenantId, listeners);
    return listeners;
  }

  #follow(listeners: Set<Listener>, listener: Listener): void {
    const { caller, response } = listener;
    listeners.add(listener);
    this.#open += 1;
    const heartbeat = setInterval(async () => {
      // Of an answer that waited behind another one over its connection, Node does not say that it is closed.
      if (response.req.socket.destroyed) leave();
      // It may end while that is checked, and has not closed then where its client does not read.
      else if ((await keepIfAllowed(listener)) && !response.writableEnded) response.write(': heartbeat\n\n');
    }, this.#heartbeatMs);
    heartbeat.unref();
    const leave = () => {
      clearInterval(heartbeat);
      if (!listeners.delete(listener)) return;
      this.#open -= 1;
      if (listeners.size === 0) this.#listeners.delete(caller.tenantId);
    };
    response.once('close', leave);
    void this.#look(caller.tenantId);
  }

  /** Asks for the news of all tenants at once: most have none, and a question for each would keep the database from other work. */
  async #lookForNews(): Promise<void> {
    if (this.#lookingForNews) return;
    const positions = new Map<string, EventPosition>();
    for (const [tenantId, listeners] of this.#listeners) {
      const earliest = earliestOf(listeners);
      if (earliest && !this.#looks.has(tenantId)) positions.set(tenantId, earliest);
    }
    if (positions.size === 0) return;
    this.#lookingForNews = true;
    try {
      for (const tenantId of await this.#engine.events.withNews(positions)) void this.#look(tenantId);
    } catch (error) {
      this.#warn(error);
    } finally {
      this.#lookingForNews = false;
    }
  }

  /** Looks for news of a tenant: one look at a time, and one more when news came meanwhile. */
  async #look(tenantId: string): Promise<void> {
    const underWay = this.#looks.get(tenantId);
    if (underWay) {
      underWay.again = true;
      return;
    }
    const look = { again: true };
    this.#looks.set(tenantId, look);
    while (look.again) {
      look.again = false;
      await this.#poll(tenantId).catch((error: unknown) => this.#warn(error));
    }
    this.#looks.delete(tenantId);
  }

  async #poll(tenantId: string): Promise<void> {
    for (;;) {
      const listeners = [...(this.#listeners.get(tenantId) ?? [])];
      const from = earliestOf(listeners);
      if (!from) return;
      const page = await this.#engine.events.after(tenantId, from, PAGE);
      for (const listener of listeners) send(listener, page);
      if (page.length < PAGE) return;
    }
  }

  #warn(err: unknown): void {
    this.#logger.warn({ err }, 'live streams could not be served; they go on shortly');
  }
}

function earliestOf(listeners: Iterable<Listener>): EventPosition | undefined {
  let earliest: EventPosition | undefined;
  for (const { position } of listeners) if (!earliest || isAfter(earliest, position)) earliest = position;
  return earliest;
}

/** Ends a stream whose credential has ended. */
async function keepIfAllowed({ response, isAllowed }: Listener): Promise<boolean> {
  const isKept = await isAllowed();
  if (!isKept) response.end();
  return isKept;
}

function send(listener: Listener, page: readonly LoggedEvent[]): void {
  for (const { event, position, forHuman } of page) {
    const { response, caller } = listener;
    if (response.writableEnded || !isAfter(position, listener.position)) continue;
    listener.position = position;
    const told = caller.kind === 'human' ? forHuman : event;
    if (!told) continue;
    const { id, type, timestamp, tenantId, data } = told;
    const body = { id, type, timestamp: timestamp.toISOString(), tenant_id: tenantId, data };
    response.write(`id: ${id}\ndata: ${JSON.stringify(body)}\n\n`);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  }
}

function isAfter(a: EventPosition, b: EventPosition): boolean {
  const [first, second] = [BigInt(a.transaction), BigInt(b.transaction)];
  return first === second ? a.id > b.id : first > second;
}
