import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StormOrders, StormResult } from './storm.ts';

const STORM = fileURLToPath(new URL('storm.ts', import.meta.url));

/** Sends many calls at once from a process of its own. */
export async function storm(orders: StormOrders): Promise<StormResult> {
  const child = fork(STORM, [JSON.stringify(orders)], { execArgv: ['--import', 'tsx'] });
  const ended = once(child, 'close').then(() => {
    throw new Error('the storm ended without a result');
  });
  const told = once(child, 'message').then(([result]) => result as StormResult);
  return Promise.race([told, ended]);
}

/** The value that a share of ascending numbers does not pass. */
export function percentile(ascending: readonly number[], share: number): number {
  return Math.round(ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0);
}
