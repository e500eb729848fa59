import type { Engine } from '@svc-memory/core';
import type { Response } from 'express';
import { whenClosed } from '../answers/when-closed.ts';
import { refuseTooMany } from './bucket.ts';

export interface PlacesOptions {
  readonly perAgent: number;
  /** Places of all agents of one account together. */
  readonly perAccount: number;
  /** Places of all agents together in this process. Default: no limit. */
  readonly total?: number;
}

const RETRY_AFTER_S = 5;

/**
 * Gives out places for answers that last. An account has a share of its own, since a human may have many agents, which together
 * would take the places of everybody else.
 *
 * @returns Takes one for an agent until the answer is closed; where all are taken, it throws `RATE_LIMITED` with the message.
 */
export function createPlaces(
  { accounts }: Engine,
  { perAgent, perAccount, total = Number.POSITIVE_INFINITY }: PlacesOptions,
) {
  const ofAgents = new Map<string, number>();
  const ofAccounts = new Map<string, number>();
  let all = 0;
  return async (tenantId: string, response: Response, message: string): Promise<void> => {
    const accountId = await accounts.accountOf(tenantId);
    const isFull =
      all >= total ||
      (ofAgents.get(tenantId) ?? 0) >= perAgent ||
      (ofAccounts.get(accountId) ?? 0) >= perAccount;
    if (isFull) refuseTooMany(response, { retryAfter: RETRY_AFTER_S }, message);
    const change = (by: 1 | -1) => {
      all += by;
      add(ofAgents, tenantId, by);
      add(ofAccounts, accountId, by);
    };
    change(1);
    whenClosed(response, () => change(-1));
  };
}

function add(counts: Map<string, number>, id: string, by: 1 | -1): void {
  const count = (counts.get(id) ?? 0) + by;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}
