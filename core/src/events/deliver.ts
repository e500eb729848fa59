import type { Dependencies } from '../engine/context.ts';
import { attempt } from './attempt.ts';
import { type Claimed, claimDue } from './claim.ts';
import { release, settle } from './settle.ts';

const IN_PROGRESS = 256;
const IN_PROGRESS_PER_ENDPOINT = 4;

/**
 * Makes the job that sends what is due, at least once. Runs may overlap: one that waits for a slow target does not keep
 * a later one from serving the others, and together they keep to the bounds of this process.
 *
 * @returns the job; it answers how many attempts it made.
 */
export function createDeliverJob(): (dependencies: Dependencies, signal: AbortSignal) => Promise<number> {
  const busy = new Map<string, number>();
  let inProgress = 0;
  const count = ({ endpointId }: Claimed, change: 1 | -1) => {
    inProgress += change;
    const now = (busy.get(endpointId) ?? 0) + change;
    if (now === 0) busy.delete(endpointId);
    else busy.set(endpointId, now);
  };

  // One run claims at a time, so that each sees what the others took; one more may wait for its turn, and will see all
  // that is due by then.
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const take = async (dependencies: Dependencies): Promise<Claimed[]> => {
    if (waiting > 1) return [];
    waiting += 1;
    const taken = turn.then(async () => {
      waiting -= 1;
      const free = IN_PROGRESS - inProgress;
      if (free <= 0) return [];
      const capacity = { total: free, perEndpoint: IN_PROGRESS_PER_ENDPOINT, busy };
      const claimed = await claimDue(dependencies, capacity);
      for (const one of claimed) count(one, 1);
      return claimed;
    });
    turn = taken.catch(() => {});
    return await taken;
  };

  const deliver = async (dependencies: Dependencies, claimed: Claimed, signal: AbortSignal) => {
    const { webhooks } = dependencies;
    if (!webhooks) return;
    try {
      const attempted = await attempt(dependencies, webhooks, claimed, signal);
      await settle(dependencies, webhooks, claimed, attempted);
    } catch (error) {
      // Unsettled, the delivery comes back when its lease ends.
      if (signal.aborted) await release(dependencies, claimed);
      else dependencies.logger.error({ err: error, delivery: claimed.id }, 'a delivery could not be settled');
    } finally {
      count(claimed, -1);
    }
  };

  return async (dependencies, signal) => {
    let attempts = 0;
    while (dependencies.webhooks && !signal.aborted) {
      const claimed = await take(dependencies);
      if (claimed.length === 0) break;
      await Promise.all(claimed.map((one) => deliver(dependencies, one, signal)));
      attempts += claimed.length;
    }
    return attempts;
  };
}
