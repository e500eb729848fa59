import type { Services } from '../../kernel/context/context.ts';
import { MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { DEFAULT_VISIBILITY } from '../visibility/contract.ts';
import { showsAll } from '../visibility/level.ts';
import { loadRules } from '../visibility/rules.ts';
import { humanView } from '../visibility/view.ts';
import { type BusyEndpoint, type ClaimedDelivery, claimDue } from './claim.ts';
import { type AttemptResult, deliverOnce } from './deliver-once.ts';
import { redactForHuman } from './for-human.ts';
import { dropDelivery, recordAttempt, releaseDelivery } from './record-attempt.ts';

const IN_PROGRESS = 256;
/** Longest pause of an endpoint: a test event that a human sends waits no longer. Each delivery waits as long as was asked for. */
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;

/**
 * Creates the task that sends due deliveries, at least once. Runs may overlap: a run that waits for a slow target does not
 * delay the other targets. Together the runs keep the limits of this process.
 *
 * @returns the task; it returns the number of attempts.
 */
export function createDeliveryTask(): (services: Services, signal: AbortSignal) => Promise<number> {
  const inProgress = countInProgress();
  const pauses = createPauses();

  // One run claims at a time, so that each knows what the others hold. One more may wait; it will claim everything that is
  // due by then.
  let lastClaim: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const take = async (services: Services): Promise<ClaimedDelivery[]> => {
    if (waiting > 1) return [];
    waiting += 1;
    const taken = lastClaim.then(async () => {
      waiting -= 1;
      const free = IN_PROGRESS - inProgress.total();
      if (free <= 0) return [];
      const claimed = await claimDue(services, {
        total: free,
        busy: inProgress.byEndpoint(),
        paused: pauses.at(services.clock()),
      });
      for (const one of claimed) inProgress.add(one, 1);
      return claimed;
    });
    lastClaim = taken.catch(() => {});
    return await taken;
  };

  const deliver = async (services: Services, claimed: ClaimedDelivery, signal: AbortSignal) => {
    const { webhooks } = services;
    if (!webhooks) return;
    try {
      const redacted = await redactForTarget(services, claimed);
      if (!redacted) return await dropDelivery(services, claimed);
      const result = await deliverOnce(services, webhooks, redacted, signal);
      pauses.note(claimed.endpointId, result, services.clock());
      await recordAttempt(services, webhooks, claimed, result);
    } catch (error) {
      // Without a recorded result, the delivery is due again when its lease ends.
      if (signal.aborted) await releaseDelivery(services, claimed);
      else services.logger.error({ err: error, delivery: claimed.id }, 'a delivery could not be settled');
    } finally {
      inProgress.add(claimed, -1);
    }
  };

  return async (services, signal) => {
    let attempts = 0;
    while (services.webhooks && !signal.aborted) {
      const claimed = await take(services);
      if (claimed.length === 0) break;
      await Promise.all(claimed.map((one) => deliver(services, one, signal)));
      attempts += claimed.length;
    }
    return attempts;
  };
}

/** Counts the deliveries that this process has in progress. */
function countInProgress() {
  const busy = new Map<string, BusyEndpoint>();
  let total = 0;
  return {
    add: ({ tenantId, endpointId }: ClaimedDelivery, change: 1 | -1) => {
      total += change;
      const count = (busy.get(endpointId)?.count ?? 0) + change;
      if (count === 0) busy.delete(endpointId);
      else busy.set(endpointId, { tenantId, endpointId, count });
    },
    total: () => total,
    byEndpoint: (): readonly BusyEndpoint[] => [...busy.values()],
  };
}

/**
 * The endpoints that asked for a pause by `Retry-After`. Without it, a receiver that says it has too much to do would get each
 * event of a backlog once all the same. Known to this process alone, as each finds out by one attempt.
 */
function createPauses() {
  const until = new Map<string, number>();
  return {
    note: (endpointId: string, { succeeded, retryAfterMs = 0 }: AttemptResult, now: Date) => {
      if (succeeded || retryAfterMs === 0) until.delete(endpointId);
      else until.set(endpointId, now.getTime() + Math.min(retryAfterMs, LONGEST_PAUSE_MS));
    },
    at: (now: Date): readonly string[] => {
      for (const [endpointId, end] of until) {
        // A clock that was set back ends a pause, too.
        if (end <= now.getTime() || end > now.getTime() + LONGEST_PAUSE_MS) until.delete(endpointId);
      }
      return [...until.keys()];
    },
  };
}

/** The delivery with the data that the human who registered the target may see; undefined when they may see nothing. */
async function redactForTarget(
  { database, spaces }: Services,
  claimed: ClaimedDelivery,
): Promise<ClaimedDelivery | undefined> {
  const { tenantId, event, visibility } = claimed;
  const readsSpaces = await spaces.of(tenantId);
  if (readsSpaces.length === 0 && showsAll({ ...DEFAULT_VISIBILITY, ...visibility })) return claimed;
  const [data] = await database.read(tenantId, async (tx) => {
    const view = humanView(await loadRules(tx, { agentId: tenantId, readsSpaces }));
    return redactForHuman(tx, { tenantId, view }, [event]);
  });
  return data && { ...claimed, event: { ...event, data } };
}
