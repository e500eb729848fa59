import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Calls of one connection that may wait for the answers before theirs. */
const MOST_WAITING = 16;

interface Connection {
  isBusy: boolean;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Begins the calls of one connection one after the other, and none whose client has left.
 *
 * A client may send calls without waiting for their answers (HTTP pipelining). Node hands over all of them at once, but sends
 * the answers in turn: those would pile up in memory while the client reads none. The connection of a client that sends on
 * and on is closed. Browsers and HTTP libraries send a call when the answer before it is there.
 */
export function oneAtATime(begin: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  const answer = (connection: Connection, request: IncomingMessage, response: ServerResponse) => {
    connection.isBusy = true;
    response.once('close', () => {
      // Other connections come in between.
      if (connection.waiting.length > 0) setImmediate(answerNext, connection);
      else connection.isBusy = false;
    });
    begin(request, response);
  };
  const answerNext = (connection: Connection) => {
    const [request, response] = connection.waiting.shift() ?? [];
    // Of an answer that never gets to its connection, Node does not say that it is closed.
    if (request?.socket.writable && response) answer(connection, request, response);
  };
  return (request, response) => {
    const { socket } = request;
    // Node goes on reading what has come already over a connection that was closed.
    if (!socket.writable) return;
    const connection = connections.get(socket) ?? { isBusy: false, waiting: [] };
    connections.set(socket, connection);
    if (!connection.isBusy) answer(connection, request, response);
    else if (connection.waiting.length < MOST_WAITING) connection.waiting.push([request, response]);
    else socket.destroy();
  };
}
