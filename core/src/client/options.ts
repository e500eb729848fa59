import { invalid } from '../kernel/contract/errors.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 2_147_483_647;
const DEFAULT_RETRIES = 2;
const MAX_RETRIES = 10;

/** Where the service is and who calls it. */
export interface ConnectOptions {
  /**
   * Address of the service, such as `http://127.0.0.1:3000`; with or without a trailing slash or `/api/v1`. Undefined, as a
   * variable of the environment may be, is refused with an error that says what is missing.
   */
  readonly url: string | undefined;
  /** API key, `svc_…`. Undefined is refused in the same way. */
  readonly apiKey: string | undefined;
  /** Most milliseconds a call may take, repetitions and waits between them included; default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed call is repeated where that is safe, 0..10; default 2. */
  readonly retries?: number | undefined;
  /** The agent's session key, sent with calls that need one unless the call brings its own. */
  readonly sessionKey?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Replaces the wait between two attempts; must end early when the signal aborts. */
  readonly delay?: Delay | undefined;
}

/** Waits for some milliseconds, or less when the signal aborts. */
type Delay = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Checked options with their defaults. */
export interface Connection {
  /** Address without a trailing slash and without `/api/v1`, as errors name it. */
  readonly url: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly sessionKey: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly delay: Delay;
}

export function toConnection(options: ConnectOptions): Connection {
  if (typeof options !== 'object' || options === null) {
    throw invalid('options', 'must be an object such as { url, apiKey }');
  }
  return {
    url: serviceUrl(options.url),
    apiKey: headerValue(
      'apiKey',
      options.apiKey,
      'pass the API key (svc_…) that the service printed when it first started',
    ),
    timeoutMs: whole('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 1, MAX_TIMEOUT_MS),
    retries: whole('retries', options.retries ?? DEFAULT_RETRIES, 0, MAX_RETRIES),
    sessionKey:
      options.sessionKey === undefined
        ? undefined
        : headerValue('sessionKey', options.sessionKey, 'leave it out or pass the session key (svs_…)'),
    // Called as a bare function: browsers refuse `fetch` on another object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    delay: options.delay ?? wait,
  };
}

/** Brings the address of the service into its plain form. */
function serviceUrl(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw invalid('url', 'is required: the address of the service, such as http://127.0.0.1:3000');
  }
  const url = URL.canParse(value.trim()) ? new URL(value.trim()) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw invalid('url', 'must be an http or https address, such as http://127.0.0.1:3000');
  }
  if (url.username || url.password)
    throw invalid('url', 'must not hold a user name or password: the API key alone says who calls');
  if (url.search || url.hash) throw invalid('url', 'must end after the path: no ? and no #');
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  return `${url.origin}${path}`;
}

function headerValue(name: string, value: unknown, fix: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw invalid(name, `is required: ${fix}`);
  const trimmed = value.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw invalid(
      name,
      'must hold only printable ASCII characters; check that it was copied whole and alone',
    );
  }
  return trimmed;
}

function whole(name: string, value: unknown, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw invalid(name, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}

const wait: Delay = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
