import type { Operation } from '../engine/context.ts';
import { checkTarget, findEndpoint, noEndpoint, own, requireWebhooks, toEndpoint } from './endpoint.ts';
import { eventEndpoints } from './schema.ts';

/** Changes an event endpoint. Design 5, events out. */
export const updateEventEndpoint: Operation<'updateEventEndpoint'> = async (
  context,
  { id, url, events, enabled },
) => {
  const target = url === undefined ? undefined : await checkTarget(url, requireWebhooks(context));
  return context.write(async (tx) => {
    const row = await findEndpoint(tx, context, id);
    const isEnabled = row.disabledAt === null;
    const switched = enabled === undefined || enabled === isEnabled ? {} : switchOf(enabled, context.now);
    const [changed] = await tx
      .update(eventEndpoints)
      .set({
        ...(target === undefined ? {} : { url: target, failingSince: null }),
        ...(events === undefined ? {} : { events }),
        ...switched,
        updatedAt: context.now,
      })
      .where(own(context.tenantId, id))
      .returning();
    if (!changed) throw noEndpoint();
    return { endpoint: toEndpoint(changed) };
  });
};

function switchOf(enabled: boolean, now: Date) {
  return enabled
    ? { disabledAt: null, disabledReason: null, failingSince: null }
    : { disabledAt: now, disabledReason: 'human' as const };
}
