import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type Route, routes } from '@svc-memory/core/contract';
import { pathOf } from './request-path.ts';

/** How long clients may take to send bodies. */
export interface BodyTimeouts {
  /** Milliseconds for a whole request. Default 60,000. */
  readonly request?: number;
  /**
   * For uploads of files, which may be 256 MiB over a slow line: bytes that must come in each span of so many
   * milliseconds. Default 240 KiB in 30,000 (64 kbit/s), so that the largest takes 9 hours at most.
   */
  readonly upload?: { readonly bytes: number; readonly spanMs: number };
}

const REQUEST_MS = 60_000;
const PARTING_MS = 1_000;
const UPLOAD = { bytes: 240 * 1024, spanMs: 30_000 };
const UPLOADS: ReadonlySet<string> = new Set(
  Object.values<Route>(routes).flatMap(({ upload, method, path }) =>
    upload ? [`${method} /api/v1${path}`] : [],
  ),
);

/**
 * Ends requests whose bodies arrive too slowly, by the event `clientError`, which answers 408. Node does so for headers.
 *
 * @returns What each call passes when it begins.
 */
export function enforceBodyTimeouts(
  server: Server,
  { request = REQUEST_MS, upload = UPLOAD }: BodyTimeouts,
): RequestListener {
  return (incoming, response) => {
    if (incoming.complete) return;
    const giveUp = () => {
      if (incoming.complete) return;
      const { socket } = incoming;
      server.emit('clientError', new BodyTimeoutError(), socket);
      // The client may still send. Closing the socket now could discard the answer.
      setTimeout(() => socket.destroy(), PARTING_MS).unref();
    };
    const watch = isUpload(incoming)
      ? setInterval(demandBytes(incoming, response, upload.bytes, giveUp), upload.spanMs)
      : setTimeout(giveUp, request);
    watch.unref();
    for (const end of ['end', 'close']) incoming.once(end, () => clearTimeout(watch));
  };
}

class BodyTimeoutError extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

/** Whether a request may bring files, which may take hours. */
export function isUpload({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return UPLOADS.has(`${method} ${pathOf(url)}`);
}

function demandBytes(incoming: IncomingMessage, response: ServerResponse, bytes: number, giveUp: () => void) {
  let before = incoming.socket.bytesRead;
  return () => {
    const came = incoming.socket.bytesRead - before;
    before = incoming.socket.bytesRead;
    // Bytes that wait to be read have arrived in time. After the answer nothing is read.
    const isOurs = incoming.readableLength > 0 && !response.writableEnded;
    if (came < bytes && !isOurs) giveUp();
  };
}
