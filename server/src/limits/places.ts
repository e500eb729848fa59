import type { Response } from 'express';
import { whenClosed } from '../answers/when-closed.ts';

export interface PlacesOptions {
  readonly perAgent: number;
  /** Places of all agents of one account together. */
  readonly perAccount: number;
  /** Places of all agents together in this process. Default: no limit. */
  readonly total?: number;
}

/** Who takes a place: an agent, and the account it belongs to. */
export interface PlaceHolder {
  readonly tenantId: string;
  readonly accountId: string;
}

/**
 * Gives out places for answers that last. An account has a share of its own, since a human may have many agents, which together
 * would take the places of everybody else.
 *
 * @returns Takes one until an answer is closed; false where all are taken.
 */
export function createPlaces({ perAgent, perAccount, total = Number.POSITIVE_INFINITY }: PlacesOptions) {
  const ofAgents = new Map<string, number>();
  const ofAccounts = new Map<string, number>();
  let all = 0;
  return ({ tenantId, accountId }: PlaceHolder, response: Response): boolean => {
    const isFull =
      all >= total ||
      (ofAgents.get(tenantId) ?? 0) >= perAgent ||
      (ofAccounts.get(accountId) ?? 0) >= perAccount;
    if (isFull) return false;
    const change = (by: 1 | -1) => {
      all += by;
      add(ofAgents, tenantId, by);
      add(ofAccounts, accountId, by);
    };
    change(1);
    whenClosed(response, () => change(-1));
    return true;
  };
}

function add(counts: Map<string, number>, id: string, by: 1 | -1): void {
  const count = (counts.get(id) ?? 0) + by;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}
