import type { AccountSettings } from '../accounts/settings.ts';

/** What an operator decides about the HTTP side. Everything has a safe default. */
export interface ServerSettings extends AccountSettings {
  /** Version that health, metrics and the API document report. */
  readonly version: string;
  /** Address the service listens on; a loopback one switches the `Host` check on. Default 127.0.0.1. */
  readonly host: string;
  /** Address that clients use where it differs (behind a proxy); its host passes the `Host` check. */
  readonly publicUrl?: string | undefined;
  /** Calls per API key and minute, with bursts of a sixth of it; 0 = no limit. Default 600. */
  readonly rateLimitPerMinute: number;
  /** Failed sign-ins per client address and minute; 0 = no limit. Default 60. */
  readonly failedSignInsPerMinute: number;
  /** Most calls in progress in this process, waiting ones included; more are refused. Default 1,000. */
  readonly callsInProgress: number;
  /** Largest request body in bytes, also after decompression. Default 1 MiB. */
  readonly bodyLimitBytes: number;
  /** Express's `trust proxy`: how many proxies in front may name the client's address. Default 0. */
  readonly trustedProxies: number;
  /** Bearer token for `/metrics`; without one only the machine itself may read them. */
  readonly metricsToken?: string | undefined;
}

/** Default settings. */
export const DEFAULT_SERVER_SETTINGS: ServerSettings = {
  version: '0.0.0',
  host: '127.0.0.1',
  rateLimitPerMinute: 600,
  failedSignInsPerMinute: 60,
  callsInProgress: 1_000,
  bodyLimitBytes: 1024 * 1024,
  trustedProxies: 0,
  allowSignup: false,
  oauth: {},
  signInsPerMinute: 10,
};
