import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import type { EngineOptions, KeyScope } from '@svc-memory/core';
import type { TestEngine } from '@svc-memory/core/testing';
import supertest from 'supertest';
import { beforeAll } from 'vitest';
import { useTestEngine } from '../../../core/src/testing/engine.fixture.ts';
import { listen } from '../../../test/kit/listen.ts';
import { createLogger } from '../logs/logger.ts';
import { type AppOptions, createApp } from './app.ts';

/** An app on a real engine, and what it wrote to its log. */
export interface TestApp {
  readonly kit: TestEngine;
  readonly app: RequestListener;
  readonly logged: Record<string, unknown>[];
  /** A key of a new tenant, as an `Authorization` header. */
  signIn(
    scope?: KeyScope,
  ): Promise<{ readonly tenantId: string; readonly keyId: string; readonly bearer: string }>;
}

/**
 * Starts one app for all tests of a file; rate limits are off unless asked for.
 *
 * @param given Options, or what makes them once the file's other services run.
 * @param engine Options of its engine.
 */
export function useApp(
  given: Partial<AppOptions> | ((kit: TestEngine) => Partial<AppOptions>) = {},
  engine: Partial<EngineOptions> = {},
): TestApp {
  const kit = useTestEngine(engine);
  let app: RequestListener | undefined;
  const logged: Record<string, unknown>[] = [];
  beforeAll(async () => {
    const options = typeof given === 'function' ? given(kit) : given;
    app = createApp({
      engine: kit.engine,
      logger: collectingLogger(logged),
      ...options,
      settings: { rateLimitPerMinute: 0, failedSignInsPerMinute: 0, ...options.settings },
    });
  });
  return {
    kit,
    logged,
    get app() {
      if (!app) throw new TypeError('only inside tests');
      return app;
    },
    signIn: async (scope = 'full') => {
      const { tenantId } = await kit.tenant();
      const key = await kit.engine.apiKeys.create(tenantId, { name: 'test', scope });
      return { tenantId, keyId: key.id, bearer: `Bearer ${key.secret}` };
    },
  };
}

/** A logger at its most talkative level that keeps its lines. */
function collectingLogger(lines: Record<string, unknown>[]) {
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return createLogger({ level: 'trace' }, sink);
}

/** Calls below `/api/v1` with a key. */
export function caller(app: RequestListener, bearer: string) {
  const agent = supertest(app);
  return (method: 'get' | 'post' | 'patch' | 'delete', path: string) =>
    agent[method](`/api/v1${path}`).set('Authorization', bearer);
}

/** Serves an app on a free port while `work` runs. */
export async function serving<T>(app: RequestListener, work: (port: number) => Promise<T>): Promise<T> {
  const { port, close } = await listen(createServer(app));
  return await work(port).finally(close);
}

/** Sends bytes as they are and answers everything that comes back until the connection ends. */
export function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(received));
  });
}
