import type { Operation } from '../engine/context.ts';
import {
  createWebhookSecret,
  findEndpoint,
  noEndpoint,
  own,
  requireWebhooks,
  toEndpoint,
} from './endpoint.ts';
import { eventEndpoints } from './schema.ts';

/** Hours in which the secret before a rotation signs too, so that a receiver can change over without a gap. */
const OVERLAP_HOURS = 24;

/** Makes a new secret for an event endpoint. Standard Webhooks, zero-downtime rotation. */
export const rotateEventSecret: Operation<'rotateEventSecret'> = (context, { id }) => {
  const { secrets } = requireWebhooks(context);
  const secret = createWebhookSecret();
  return context.write(async (tx) => {
    const row = await findEndpoint(tx, context, id);
    const [changed] = await tx
      .update(eventEndpoints)
      .set({
        secret: secrets.seal(secret, id),
        previousSecret: row.secret,
        previousSecretUntil: new Date(context.now.getTime() + OVERLAP_HOURS * 3_600_000),
        updatedAt: context.now,
      })
      .where(own(context.tenantId, id))
      .returning();
    if (!changed) throw noEndpoint();
    return { endpoint: toEndpoint(changed), secret };
  });
};
