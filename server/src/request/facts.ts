import type { KeyHolder } from '@svc-memory/core';
import type { ErrorCode } from '@svc-memory/core/contract';

declare global {
  // What the middlewares of one request tell each other, the log and the metrics.
  namespace Express {
    interface Locals {
      requestId: string;
      /** Path of the matched route with `{parameters}` unfilled; undefined where no route matched. */
      route?: string;
      holder?: KeyHolder;
      errorCode?: ErrorCode;
      /** Fires when the client goes away before its answer is complete. */
      signal: AbortSignal;
    }
  }
}
