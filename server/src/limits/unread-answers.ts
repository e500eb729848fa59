import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const UNREAD_MS = 30_000;
const LOOKS = 3;

/** How far an answer had come at a look, and since when it has come no further. */
interface Progress {
  readonly sent: number;
  readonly queued: number;
  readonly since: number;
}

/**
 * Ends connections that have taken no byte of what waits to be sent for so long: each holds its answer in memory, and a place
 * among the calls in progress. Where nothing waits to be sent, as on a quiet event stream, there is nothing to be read.
 *
 * @param unreadMs Milliseconds that a client may read nothing. Default 30,000.
 */
export function endUnreadAnswers(server: Server, unreadMs = UNREAD_MS): void {
  const connections = new Map<Socket, Progress | undefined>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  const look = () => {
    const now = performance.now();
    for (const [socket, before] of connections) {
      const progress = progressOf(socket, before, now);
      connections.set(socket, progress);
      if (progress && now - progress.since >= unreadMs) socket.destroy();
    }
  };
  const looking = setInterval(look, unreadMs / LOOKS).unref();
  server.once('close', () => clearInterval(looking));
}

function progressOf(socket: Socket, before: Progress | undefined, now: number): Progress | undefined {
  if (socket.writableLength === 0) return undefined;
  const sent = socket.bytesWritten - socket.writableLength;
  const queued = queuedBytes(socket);
  return before?.sent === sent && before.queued === queued ? before : { sent, queued, since: now };
}

/** What is left of the write in progress. Node tells it nowhere else, and a long answer is one write. */
function queuedBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? 0;
}
