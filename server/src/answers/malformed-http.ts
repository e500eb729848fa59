import { randomUUID } from 'node:crypto';
import { type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, SvcError } from '@svc-memory/core/contract';
import { errorBody } from './errors.ts';

interface Reason {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** Of the codes that clients know, each has the one that tells what to do: send less, or send it again. */
const REASONS: Readonly<Record<string, Reason>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The request headers are too large.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The chunk extensions are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'UNAVAILABLE',
    message: 'The request took too long to arrive.',
  },
};
const MALFORMED: Reason = {
  status: 400,
  code: 'VALIDATION_ERROR',
  message: 'The request is not valid HTTP.',
};

/**
 * Answers requests that are malformed, too large or too slow with an error body, and closes the connection.
 *
 * @returns What each call passes when it begins.
 */
export function answerMalformedHttp(server: Server): RequestListener {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Once an answer has begun, a second one would be read as a part of it.
    const begun = answers.get(socket);
    if (!socket.writable || error.code === 'ECONNRESET' || (begun?.headersSent && !begun.writableFinished)) {
      socket.destroy();
      return;
    }
    const { status, code, message } = REASONS[error.code ?? ''] ?? MALFORMED;
    const requestId = randomUUID();
    const body = JSON.stringify(errorBody(new SvcError(code, message), requestId));
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Connection: close',
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Cache-Control: no-store',
        `X-Request-Id: ${requestId}`,
        '',
        body,
      ].join('\r\n'),
    );
  });
  return ({ socket }, response) => {
    answers.set(socket, response);
  };
}
