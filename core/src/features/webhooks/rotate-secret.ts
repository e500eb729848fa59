import { eventEndpoints } from '../../kernel/commit/outbox-schema.ts';
import type { Operation } from '../../kernel/context/context.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import type { eventRoutes } from './contract.ts';
import {
  createWebhookSecret,
  findEndpoint,
  isEndpoint,
  noEndpoint,
  requireWebhooks,
  toEndpoint,
} from './endpoint.ts';

/** Hours in which the previous secret signs too, so that a receiver can change over without a gap. */
const OVERLAP_HOURS = 24;

/** Creates a new secret for an event endpoint: zero-downtime rotation, as Standard Webhooks defines it. */
export const rotateEventSecret: Operation<typeof eventRoutes.rotateEventSecret> = (context, { id }) => {
  const { secrets } = requireWebhooks(context);
  const secret = createWebhookSecret();
  return context.write(async (tx) => {
    const row = await findEndpoint(tx, context, id);
    const [changed] = await tx
      .update(eventEndpoints)
      .set({
        secret: secrets.seal(secret, id),
        previousSecret: row.secret,
        previousSecretUntil: new Date(context.now.getTime() + OVERLAP_HOURS * HOUR_MS),
        updatedAt: context.now,
      })
      .where(isEndpoint(context.tenantId, id))
      .returning();
    if (!changed) throw noEndpoint();
    await context.audit(tx, 'event_endpoint.secret_rotated', { endpoint_id: id });
    return { endpoint: toEndpoint(changed), secret };
  });
};
