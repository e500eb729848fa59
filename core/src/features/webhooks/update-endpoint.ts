import { eventEndpoints } from '../../kernel/commit/outbox-schema.ts';
import type { Operation } from '../../kernel/context/context.ts';
import { withoutUndefined } from '../../kernel/contract/settings.ts';
import type { eventRoutes } from './contract.ts';
import {
  checkTarget,
  findEndpoint,
  isEndpoint,
  noEndpoint,
  requireWebhooks,
  toEndpoint,
} from './endpoint.ts';
import { uniqueFilters } from './event-types.ts';

/** Changes the address, the events or the state of an event endpoint. */
export const updateEventEndpoint: Operation<typeof eventRoutes.updateEventEndpoint> = async (
  context,
  { id, url, events, enabled },
) => {
  const filters = events && uniqueFilters(context, events);
  const target = url === undefined ? undefined : await checkTarget(url, requireWebhooks(context));
  return context.write(async (tx) => {
    const row = await findEndpoint(tx, context, id);
    const isEnabled = row.disabledAt === null;
    const switched = enabled === undefined || enabled === isEnabled ? {} : switchOf(enabled, context.now);
    const [changed] = await tx
      .update(eventEndpoints)
      .set({
        ...(target === undefined ? {} : { url: target, failingSince: null }),
        ...(filters === undefined ? {} : { events: filters }),
        ...switched,
        updatedAt: context.now,
      })
      .where(isEndpoint(context.tenantId, id))
      .returning();
    if (!changed) throw noEndpoint();
    const fields = Object.keys(withoutUndefined({ url, events, enabled }));
    await context.audit(tx, 'event_endpoint.updated', { endpoint_id: id, fields });
    return { endpoint: toEndpoint(changed) };
  });
};

function switchOf(enabled: boolean, now: Date) {
  return enabled
    ? { disabledAt: null, disabledReason: null, failingSince: null }
    : { disabledAt: now, disabledReason: 'human' as const };
}
