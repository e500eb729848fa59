import type { CallOptions } from '@svc-memory/core/contract';
import { SvcError } from '@svc-memory/core/contract';
import type { Request, Response } from 'express';
import { serviceUrlOf } from './service-url.ts';

const VERSION = /^(?:"(\d{1,9})"|(\d{1,9}))$/;

/**
 * Reads what accompanies a call: `Idempotency-Key`, `If-Match` (a version, quoted or not) and `X-Session-Key`.
 *
 * @param publicUrl Address of the service where an operator has set it.
 * @throws SvcError `VALIDATION_ERROR` for an `If-Match` that names no version.
 */
export function readCallOptions(request: Request, response: Response, publicUrl?: string): CallOptions {
  const ifMatch = request.get('if-match');
  return {
    signal: response.locals.signal,
    idempotencyKey: request.get('idempotency-key'),
    sessionKey: request.get('x-session-key'),
    serviceUrl: serviceUrlOf(request, publicUrl),
    ifMatch: ifMatch === undefined ? undefined : readVersion(ifMatch),
  };
}

function readVersion(header: string): number {
  const match = VERSION.exec(header.trim());
  const version = Number(match?.[1] ?? match?.[2] ?? 0);
  if (version < 1) {
    const message = 'must be the version number of the memory, such as "3"';
    throw new SvcError('VALIDATION_ERROR', `If-Match: ${message}`, {
      details: [{ path: 'If-Match', message }],
    });
  }
  return version;
}
