import { SvcError } from '@svc-memory/core/contract';
import type { Request, RequestHandler } from 'express';
import { bearerToken } from '../access/bearer.ts';
import { isLoopback } from '../access/host.ts';
import { isSameSecret } from '../access/same-secret.ts';
import type { Metrics } from './metrics.ts';

/**
 * Shows the metrics to who may see them: with a token set, its bearer; without one, whoever asks from this machine and
 * not through a proxy.
 */
export function serveMetrics(metrics: Metrics, token?: string): RequestHandler {
  return async (request, response) => {
    if (!(token === undefined ? isLocal(request) : isSameSecret(bearerToken(request), token))) {
      throw new SvcError(
        'FORBIDDEN',
        'Metrics are shown to this machine itself, or for the token set by the operator.',
      );
    }
    const { type, text } = await metrics.render();
    response.setHeader('Content-Type', type).end(text);
  };
}

function isLocal({ socket, headers }: Request): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return isLoopback(address) && headers.forwarded === undefined && headers['x-forwarded-for'] === undefined;
}
