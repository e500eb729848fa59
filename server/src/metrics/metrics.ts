import type { Engine } from '@svc-memory/core';
import { SvcError } from '@svc-memory/core/contract';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { bearerToken, isSameSecret } from '../access/bearer.ts';
import { isFromThisMachine } from '../access/host.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT']);

/** The numbers of one app. */
export interface Metrics {
  /** Measures every request that passes. */
  readonly observe: RequestHandler;
  /** Everything in the Prometheus text format. */
  render(): Promise<{ readonly type: string; readonly text: string }>;
}

/**
 * Counts and times requests by method, route template and status, so that clients cannot add series. Also measures the
 * process, from the first time it is asked, and whether the database answers.
 */
export function createMetrics(engine: Engine, version: string): Metrics {
  const registry = new Registry();
  let measuresProcess = false;
  const durations = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer; _count counts the requests.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'svc_build_info',
    help: 'Always 1; says what runs.',
    labelNames: ['version', 'database'] as const,
    registers: [registry],
  }).set({ version, database: engine.database.kind }, 1);
  new Gauge({
    name: 'svc_embedder_info',
    help: 'Always 1; says which model makes the new vectors.',
    labelNames: ['model'] as const,
    registers: [registry],
  }).set({ model: engine.reembedding.model }, 1);
  new Gauge({
    name: 'svc_database_up',
    help: '1 while the database answers.',
    registers: [registry],
    async collect() {
      this.set(
        await engine.database.ping().then(
          () => 1,
          () => 0,
        ),
      );
    },
  });

  return {
    observe: (request, response, next) => {
      const stop = durations.startTimer();
      response.once('close', () =>
        stop({
          method: METHODS.has(request.method) ? request.method : 'OTHER',
          route: response.locals.route ?? 'unmatched',
          status: response.writableFinished ? String(response.statusCode) : '499',
        }),
      );
      next();
    },
    render: async () => {
      // Not before somebody asks: it wakes the process a hundred times a second.
      if (!measuresProcess) collectDefaultMetrics({ register: registry });
      measuresProcess = true;
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

/**
 * Answers `/metrics`. With a token, callers must send it as a bearer token; without one, only callers on this machine may
 * read them, and not through a proxy.
 */
export function serveMetrics(metrics: Metrics, token?: string): RequestHandler {
  return async (request, response) => {
    if (!(token === undefined ? isFromThisMachine(request) : isSameSecret(bearerToken(request), token))) {
      throw new SvcError(
        'FORBIDDEN',
        'Metrics are shown to this machine itself, or for the token set by the operator.',
      );
    }
    const { type, text } = await metrics.render();
    response.setHeader('Content-Type', type).end(text);
  };
}
