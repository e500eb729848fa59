import type { Resolve } from './resolve.ts';
import type { SecretBox } from './secret-box.ts';
import { systemResolve } from './target.ts';

declare module '../../kernel/context/context.ts' {
  interface Services {
    /** Absent where the service was started without a secret to keep webhook secrets with. */
    readonly webhooks?: Webhooks;
  }
}

/** Options for sending events to endpoints. */
export interface WebhookOptions {
  /** Encrypts the secrets of endpoints. */
  readonly secrets: SecretBox;
  /** Also sends to http and private addresses; default false. */
  readonly allowPrivate?: boolean;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Milliseconds one attempt may take; default 15,000. */
  readonly timeoutMs?: number;
  /** 0 up to 1, for the jitter; default Math.random. */
  readonly random?: () => number;
}

export type Webhooks = Required<WebhookOptions>;

export function withDefaults(options: WebhookOptions): Webhooks {
  return { allowPrivate: false, resolve: systemResolve, timeoutMs: 15_000, random: Math.random, ...options };
}
