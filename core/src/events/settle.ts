import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Dependencies } from '../engine/context.ts';
import type { Attempted } from './attempt.ts';
import type { Claimed } from './claim.ts';
import { TEST_EVENT } from './event-types.ts';
import { nextAttempt } from './schedule.ts';
import { eventDeliveries, eventEndpoints } from './schema.ts';
import type { Webhooks } from './webhooks.ts';

const KEPT_ATTEMPTS = 20;
const held = ({ tenantId, id, claim }: Claimed) =>
  and(
    eq(eventDeliveries.tenantId, tenantId),
    eq(eventDeliveries.id, id),
    // Another process took over after the lease ended: its outcome counts.
    eq(eventDeliveries.claim, claim),
  );

/** Writes down what an attempt came to: delivered, to be tried again, or dead. */
export async function settle(
  { database, clock }: Dependencies,
  { random }: Webhooks,
  claimed: Claimed,
  { entry, succeeded, gone, retryAfterMs }: Attempted,
): Promise<void> {
  const now = clock();
  const attempts = claimed.attempts + 1;
  const next =
    succeeded || gone || claimed.event.type === TEST_EVENT
      ? undefined
      : nextAttempt({ attempts, now, retryAfterMs, random });
  const { log } = eventDeliveries;
  await database.transaction(claimed.tenantId, async (tx) => {
    const settled = await tx
      .update(eventDeliveries)
      .set({
        status: succeeded ? 'delivered' : next ? 'pending' : 'dead',
        attempts,
        log: sql`CASE WHEN jsonb_array_length(${log}) >= ${KEPT_ATTEMPTS} THEN ${log} - 0 ELSE ${log} END
                 || ${JSON.stringify([entry])}::jsonb`,
        claim: null,
        dueAt: next ?? now,
      })
      .where(held(claimed))
      .returning({ id: eventDeliveries.id });
    if (settled.length === 0) return;
    const endpoint = and(
      eq(eventEndpoints.tenantId, claimed.tenantId),
      eq(eventEndpoints.id, claimed.endpointId),
    );
    if (gone) {
      await tx
        .update(eventEndpoints)
        .set({ disabledAt: now, disabledReason: 'gone', updatedAt: now })
        .where(and(endpoint, isNull(eventEndpoints.disabledAt)));
    }
    const { failingSince } = eventEndpoints;
    await tx
      .update(eventEndpoints)
      .set({ failingSince: succeeded ? null : now })
      .where(and(endpoint, succeeded ? isNotNull(failingSince) : isNull(failingSince)));
  });
}

/** Gives a delivery back untried: the process stops. */
export async function release({ database, clock }: Dependencies, claimed: Claimed): Promise<void> {
  await database.transaction(claimed.tenantId, (tx) =>
    tx.update(eventDeliveries).set({ claim: null, dueAt: clock() }).where(held(claimed)),
  );
}
