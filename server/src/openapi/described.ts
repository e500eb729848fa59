import type { Route } from '@svc-memory/core/contract';

/** What the API document describes: a route in one of its forms. */
export interface Described {
  readonly operationId: string;
  readonly path: string;
  readonly form: 'body' | 'query';
  readonly route: Route;
  /** Whether the call is about one agent, rather than the service or a human's account. */
  readonly ofAgent: boolean;
}

/** Whether a human's call names the agent that it is about: `X-Svc-Tenant`, of which they may have none. */
export function namesAgent({ route, ofAgent }: Described): boolean {
  return ofAgent && (route.access === 'read' || route.access === 'write' || route.access === 'human');
}

/** Whether the answer to the call is kept for a repeated one. */
export function takesIdempotencyKey({ route, form }: Described): boolean {
  const reads = route.method === 'GET' || (route.method === 'POST' && form === 'query');
  return !reads && route.idempotent !== false;
}
