import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { quietTurn } from '@svc-memory/core/server';
import { answerMalformedHttp } from '../answers/malformed-http.ts';
import { type BodyTimeouts, enforceBodyTimeouts } from '../limits/body-timeout.ts';
import { oneAtATime } from '../limits/one-at-a-time.ts';
import { endUnreadAnswers } from '../limits/unread-answers.ts';

/** What `startServer` takes. */
export interface ServerOptions {
  readonly app: RequestListener;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Milliseconds that calls in progress get to end at `close`. Default 10,000. */
  readonly graceMs?: number;
  /**
   * Milliseconds that connections without a call stay open at `close`, counted from the last call that came, so that a call
   * a client is just sending over one is answered, and answered with `Connection: close`. Default 2,000: a client that has
   * waited for another server, or for a processor, comes back as late as that.
   */
  readonly lingerMs?: number;
  /** Runs after the last call ended: `() => engine.close()`. */
  readonly afterClose?: () => Promise<void>;
  /**
   * How long clients may take to send: headers in milliseconds, default 20,000, and bodies; and for how many milliseconds they
   * may read nothing of an answer, default 30,000.
   */
  readonly timeouts?: BodyTimeouts & { readonly headers?: number; readonly unreadMs?: number };
}

// Connections that may wait to be taken; the system may allow fewer.
const BACKLOG = 4_096;
// Closing the port resets connections that wait to be taken: the last of them are taken first.
const QUIET_WITHIN_MS = 2_000;
// Counted from the connection, so that it also covers the time in which an overloaded process does not get to read.
const HEADERS_TIMEOUT_MS = 20_000;

/** A service that listens. */
export interface RunningServer {
  /** Where it answers, `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops taking connections, lets calls in progress end, then runs `afterClose`. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Opens the socket.
 *
 * @throws Error that names the setting to change when the address cannot be used.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { app, host, port, graceMs = 10_000, lingerMs = 2_000, afterClose, timeouts = {} } = options;
  const server = createServer({
    headersTimeout: timeouts.headers ?? HEADERS_TIMEOUT_MS,
    // Node's would hold for uploads too.
    requestTimeout: 0,
    // Longer than the idle time of the usual load balancers, so that they close first and no call is lost.
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: Math.min(1_000, timeouts.headers ?? 1_000),
    maxHeaderSize: 16 * 1024,
    // Node would answer a request without one by itself, without a body: `checkHost` refuses it.
    requireHostHeader: false,
  });
  const noteAnswer = answerMalformedHttp(server);
  const expectBody = enforceBodyTimeouts(server, timeouts);
  endUnreadAnswers(server, timeouts.unreadMs);
  const { serve, drain } = serveUntilDrained(server, app, graceMs, lingerMs);
  const begin: RequestListener = (request, response) => {
    noteAnswer(request, response);
    expectBody(request, response);
    serve(request, response);
  };
  const take = oneAtATime(begin);
  server.on('request', take);
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1). Node would answer it past the log and the limits.
  server.on('checkExpectation', take);
  await listen(server, host, port);
  let closing: Promise<void> | undefined;
  return {
    url: urlOf(server.address(), host),
    close: () => {
      closing ??= drain().then(() => afterClose?.());
      return closing;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is taken by another process. Stop it, or set SVC_PORT to a free port.`,
    EACCES: `Port ${port} may not be opened by this user. Set SVC_PORT to a port above 1023.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Set SVC_HOST to 127.0.0.1 or 0.0.0.0.`,
    ENOTFOUND: `${host} is no known address. Set SVC_HOST to 127.0.0.1 or 0.0.0.0.`,
  };
  const message = reasons[error.code ?? ''] ?? `Cannot listen on ${host}:${port} (${error.code}).`;
  return Object.assign(new Error(message, { cause: error }), { code: error.code });
}

function urlOf(address: AddressInfo | string | null, host: string): string {
  if (address === null || typeof address === 'string') throw new TypeError('not listening on a port');
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${address.port}`;
}

/** Passes calls to the app, and follows those in progress. At the end each of them becomes the last of its connection. */
function serveUntilDrained(
  server: Server,
  app: RequestListener,
  graceMs: number,
  lingerMs: number,
): { readonly serve: RequestListener; readonly drain: () => Promise<void> } {
  const sockets = new Set<Socket>();
  const inProgress = new Map<ServerResponse, Socket>();
  let draining = false;
  let linger: NodeJS.Timeout | undefined;
  // Node counts a connection that never sent anything as busy, and would wait for it. A call that has come but was not
  // read yet would be reset with its connection: those are read first.
  const closeIdle = async () => {
    await quietTurn(QUIET_WITHIN_MS);
    const busy = new Set(inProgress.values());
    for (const socket of sockets) if (!busy.has(socket)) socket.destroySoon();
  };
  // Calls that wait for the port to close.
  let held: (() => void)[] | undefined;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const serve: RequestListener = (request, response) => {
    inProgress.set(response, request.socket);
    if (draining) response.setHeader('Connection', 'close');
    // Who calls still may have other connections to call over.
    linger?.refresh();
    response.once('close', () => {
      inProgress.delete(response);
      if (draining && !linger) void closeIdle();
    });
    if (!held) app(request, response);
    else held.push(() => (response.closed ? undefined : app(request, response)));
  };
  const drain = async () => {
    draining = true;
    linger = setTimeout(() => {
      linger = undefined;
      void closeIdle();
    }, lingerMs);
    makeLast(inProgress.keys());
    // Callers come anew as long as they are answered, and answering makes turns of the event loop long.
    const waiting: (() => void)[] = [];
    held = waiting;
    await takeWaiting(server);
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    const closed = stopListening(server);
    held = undefined;
    for (const pass of waiting) pass();
    try {
      await closed;
    } finally {
      clearTimeout(linger);
      clearTimeout(force);
    }
  };
  return { serve, drain };
}

/** Tells clients that these are the last answers of their connections. */
function makeLast(responses: Iterable<ServerResponse>): void {
  for (const response of responses) if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Takes the connections that wait. Node takes one in each turn of the event loop, however many do. */
async function takeWaiting(server: Server): Promise<void> {
  const until = performance.now() + QUIET_WITHIN_MS;
  let came = true;
  const note = () => {
    came = true;
  };
  server.on('connection', note);
  while (came && performance.now() < until) {
    came = false;
    await quietTurn(until - performance.now());
  }
  server.off('connection', note);
}

/** Resolves when the last connection ended. Leaves idle ones open, unlike `Server.close` of `node:http`. */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    NetServer.prototype.close.call(server, (error) => (error ? reject(error) : resolve()));
  });
}
