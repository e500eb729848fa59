import { systemRoutes } from '@svc-memory/core/contract';
import type { z } from 'zod';

const TIMEOUT_MS = 2_000;

const health = systemRoutes.health.response;

/** What a running service says about itself. */
export type Health = z.output<typeof health>;

/** Asks the address for its health; undefined where no Agent Memory Service answers within 2 seconds. */
export async function askHealth(url: string): Promise<Health | undefined> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${url}/api/v1${systemRoutes.health.path}`, {
      signal,
      redirect: 'manual',
    });
    return health.safeParse(await response.json()).data;
  } catch {
    return undefined;
  }
}

/** Whether the service at the address can answer calls: its database is there. */
export async function isReady(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return (await fetch(`${url}/api/v1${systemRoutes.ready.path}`, { signal, redirect: 'manual' })).ok;
  } catch {
    return false;
  }
}

/** The metrics of the service at the address; nothing where this machine may not read them. */
export async function askMetrics(
  url: string,
  { metricsToken }: { readonly metricsToken?: string | undefined },
): Promise<string> {
  try {
    const response = await fetch(`${url}/metrics`, {
      ...(metricsToken === undefined ? {} : { headers: { Authorization: `Bearer ${metricsToken}` } }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}
