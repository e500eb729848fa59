import { sql } from 'drizzle-orm';
import { eventEndpoints } from '../../kernel/commit/outbox-schema.ts';
import type { Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import type { eventRoutes } from './contract.ts';
import { checkTarget, createWebhookSecret, requireWebhooks, toEndpoint } from './endpoint.ts';
import { uniqueFilters } from './event-types.ts';

const MOST_ENDPOINTS = 20;

/** Registers an endpoint for events. Throws `CONFLICT` beyond 20. */
export const createEventEndpoint: Operation<typeof eventRoutes.createEventEndpoint> = async (
  context,
  { url, events },
) => {
  const { tenantId, now } = context;
  const filters = uniqueFilters(context, events);
  const webhooks = requireWebhooks(context);
  const target = await checkTarget(url, webhooks);
  const secret = createWebhookSecret();
  const id = context.ids();
  return context.write(async (tx) => {
    // One registration of a tenant at a time, because they are counted.
    await lockName(tx, tenantId, 'event-endpoints');
    if ((await tx.$count(eventEndpoints, sql`tenant_id = ${tenantId}`)) >= MOST_ENDPOINTS) {
      throw new SvcError(
        'CONFLICT',
        `There are ${MOST_ENDPOINTS} event endpoints already; remove one first.`,
      );
    }
    const [row] = await tx
      .insert(eventEndpoints)
      .values({
        tenantId,
        id,
        url: target,
        events: filters,
        secret: webhooks.secrets.seal(secret, id),
        createdAt: now,
        updatedAt: now,
      })
      .returning();
    if (!row) throw new TypeError('an insert returns its row');
    await context.audit(tx, 'event_endpoint.created', { endpoint_id: id });
    return { outcome: 'created', endpoint: toEndpoint(row), secret };
  });
};
