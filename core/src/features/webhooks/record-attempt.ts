import { and, isNotNull, isNull, sql } from 'drizzle-orm';
import { eventDeliveries, eventEndpoints } from '../../kernel/commit/outbox-schema.ts';
import type { Services } from '../../kernel/context/context.ts';
import { isHeld, released } from '../../kernel/queue/claim.ts';
import type { ClaimedDelivery } from './claim.ts';
import type { AttemptResult } from './deliver-once.ts';
import { isEndpoint } from './endpoint.ts';
import { TEST_EVENT } from './event-types.ts';
import { nextAttempt } from './retry-delays.ts';
import type { Webhooks } from './webhooks.ts';

const KEPT_ATTEMPTS = 20;

/** Records the result of an attempt: the delivery is delivered, pending another attempt, or dead. */
export async function recordAttempt(
  { database, clock }: Services,
  { random }: Webhooks,
  claimed: ClaimedDelivery,
  { entry, succeeded, gone, retryAfterMs }: AttemptResult,
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
        ...released(next ?? now),
      })
      .where(isHeld(eventDeliveries, claimed))
      .returning({ id: eventDeliveries.id });
    if (settled.length === 0) return;
    const endpoint = isEndpoint(claimed.tenantId, claimed.endpointId);
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

/** Releases a delivery without an attempt, because the process stops. */
export async function releaseDelivery(
  { database, clock }: Services,
  claimed: ClaimedDelivery,
): Promise<void> {
  await database.transaction(claimed.tenantId, (tx) =>
    tx.update(eventDeliveries).set(released(clock())).where(isHeld(eventDeliveries, claimed)),
  );
}

/** Deletes a delivery that the target must not receive. */
export async function dropDelivery({ database }: Services, claimed: ClaimedDelivery): Promise<void> {
  await database.transaction(claimed.tenantId, (tx) =>
    tx.delete(eventDeliveries).where(isHeld(eventDeliveries, claimed)),
  );
}
