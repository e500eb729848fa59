import type { ErrorCode } from '@svc-memory/core/contract';
import type { Caller, Human } from '../access/credential.ts';

declare global {
  // What the middlewares of one request tell each other, the log and the metrics.
  namespace Express {
    interface Locals {
      requestId: string;
      /** Path of the matched route with `{parameters}` unfilled; undefined where no route matched. */
      route?: string;
      /** Who calls in which tenant; set on every route that needs a credential for one. */
      caller?: Caller;
      /** Which human calls, on routes that are about no tenant. */
      human?: Human;
      errorCode?: ErrorCode;
      /** Fires when the client goes away before its answer is complete. */
      signal: AbortSignal;
    }
  }
}
