import type { Response } from 'express';
import { whenClosed } from '../answers/when-closed.ts';

export interface PlacesOptions {
  readonly perTenant: number;
  /** Places of all tenants together in this process. Default: no limit. */
  readonly total?: number;
}

/**
 * Gives out places for answers that last.
 *
 * @returns Takes one until an answer is closed; false where all are taken.
 */
export function createPlaces({ perTenant, total = Number.POSITIVE_INFINITY }: PlacesOptions) {
  const taken = new Map<string, number>();
  let all = 0;
  return (tenantId: string, response: Response): boolean => {
    const own = taken.get(tenantId) ?? 0;
    if (own >= perTenant || all >= total) return false;
    taken.set(tenantId, own + 1);
    all += 1;
    whenClosed(response, () => {
      all -= 1;
      const left = (taken.get(tenantId) ?? 1) - 1;
      if (left === 0) taken.delete(tenantId);
      else taken.set(tenantId, left);
    });
    return true;
  };
}
