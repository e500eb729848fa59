import type { EngineOptions } from '@svc-memory/core';
import { afterAll, beforeAll } from 'vitest';
import { type TestApp, useApp } from '../app/app.fixture.ts';
import type { AppOptions } from '../app/app.ts';
import { type RunningServer, startServer } from '../app/listen.ts';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

/** A browser as far as sign-in needs one: it keeps cookies, and names its origin on calls that change something. */
export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
}

/** The service on a free port, with what a test of accounts asks for. */
export interface TestAccounts extends TestApp {
  readonly url: string;
  browser(): Browser;
  /** A browser of a human who just signed up, with an e-mail address of their own. */
  signUp(email?: string): Promise<{
    readonly browser: Browser;
    readonly email: string;
    readonly password: string;
    readonly userId: string;
    readonly tenantId: string;
    readonly apiKey: string;
  }>;
}

let people = 0;
export const newEmail = () => `human-${++people}@example.com`;
export const PASSWORD = 'correct horse battery';

/** Starts the service for all tests of a file; sign-up is open and no limit is on unless asked for. */
export function useAccounts(
  options: () => Partial<AppOptions> = () => ({}),
  engine: Partial<EngineOptions> = {},
): TestAccounts {
  let server: RunningServer | undefined;
  const url = () => server?.url ?? '';
  const test = useApp(() => {
    const given = options();
    return {
      serviceUrl: url,
      ...given,
      settings: { allowSignup: true, signInsPerMinute: 0, ...given.settings },
    };
  }, engine);
  beforeAll(async () => {
    server = await startServer({ app: test.app, host: '127.0.0.1', port: 0, lingerMs: 0 });
  });
  afterAll(() => server?.close());
  const browser = () => openBrowser(url);
  return {
    get kit() {
      return test.kit;
    },
    get app() {
      return test.app;
    },
    get url() {
      return url();
    },
    logged: test.logged,
    signIn: test.signIn,
    browser,
    signUp: async (email = newEmail()) => {
      const own = browser();
      const { body } = await own.post('/auth/signup', { email, password: PASSWORD, display_name: 'Ada' });
      return {
        browser: own,
        email,
        password: PASSWORD,
        userId: body.user.id,
        tenantId: body.tenant.id,
        apiKey: body.api_key,
      };
    },
  };
}

function openBrowser(url: () => string): Browser {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const target =
      path.startsWith('/api/') || path === '/' || path.startsWith('/auth/local') ? path : `/api/v1${path}`;
    const response = await fetch(`${url()}${target}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookies.size > 0 ? { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {}),
        ...(method === 'GET' ? {} : { Origin: url() }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      if (/max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, pair.slice(name.length + 1));
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text,
    };
  };
  return {
    cookies,
    get: (path, headers = {}) => send('GET', path, headers),
    post: (path, body = {}, headers = {}) => send('POST', path, headers, body),
    patch: (path, body = {}, headers = {}) => send('PATCH', path, headers, body),
    delete: (path, headers = {}) => send('DELETE', path, headers),
  };
}
