import { and, asc, eq, sql } from 'drizzle-orm';
import { OPERATOR } from '../../kernel/audit/act.ts';
import { appendToAuditLog } from '../../kernel/audit/append.ts';
import { auditEntries } from '../../kernel/audit/schema.ts';
import { type EventEndpointRow, eventDeliveries, eventEndpoints } from '../../kernel/commit/outbox-schema.ts';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { withoutUndefined } from '../../kernel/contract/settings.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import type { AgentTaken } from '../accounts/accounts.ts';
import type { EventEndpoint, eventRoutes } from './contract.ts';
import {
  checkTarget,
  createWebhookSecret,
  findEndpoint,
  isEndpoint,
  noEndpoint,
  requireWebhooks,
  toEndpoint,
} from './endpoint.ts';
import { uniqueFilters } from './event-types.ts';
import { type SecretBox, UnreadableSecretError } from './secret-box.ts';

const MOST_ENDPOINTS = 20;
/** Hours in which the previous secret signs too, so that a receiver can change over without a gap. */
const OVERLAP_HOURS = 24;

/** Lists event endpoints, oldest first. */
export const listEventEndpoints: Operation<typeof eventRoutes.eventEndpoints> = (context) =>
  context.read(async (tx) => {
    const found = await tx
      .select()
      .from(eventEndpoints)
      .where(eq(eventEndpoints.tenantId, context.tenantId))
      .orderBy(asc(eventEndpoints.createdAt), asc(eventEndpoints.id));
    return { endpoints: found.map(toEndpoint) };
  });

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
    const endpoint = await change(tx, context, id, {
      ...(target === undefined ? {} : { url: target, failingSince: null }),
      ...(filters === undefined ? {} : { events: filters }),
      ...switched,
    });
    const fields = Object.keys(withoutUndefined({ url, events, enabled }));
    await context.audit(tx, 'event_endpoint.updated', { endpoint_id: id, fields });
    return { endpoint };
  });
};

function switchOf(enabled: boolean, now: Date) {
  return enabled
    ? { disabledAt: null, disabledReason: null, failingSince: null }
    : { disabledAt: now, disabledReason: 'human' as const };
}

/** Deletes an event endpoint and its delivery log. Pending deliveries are not sent. */
export const deleteEventEndpoint: Operation<typeof eventRoutes.deleteEventEndpoint> = (context, { id }) =>
  context.write(async (tx) => {
    await findEndpoint(tx, context, id);
    const { tenantId, endpointId } = eventDeliveries;
    await tx.delete(eventEndpoints).where(isEndpoint(context.tenantId, id));
    await tx.delete(eventDeliveries).where(and(eq(tenantId, context.tenantId), eq(endpointId, id)));
    await context.audit(tx, 'event_endpoint.deleted', { endpoint_id: id });
    return { endpoint: { id } };
  });

/** Creates a new secret for an event endpoint: zero-downtime rotation, as Standard Webhooks defines it. */
export const rotateEventSecret: Operation<typeof eventRoutes.rotateEventSecret> = (context, { id }) => {
  const { secrets } = requireWebhooks(context);
  const secret = createWebhookSecret();
  return context.write(async (tx) => {
    const row = await findEndpoint(tx, context, id);
    // One that cannot be read signs nothing, and would fail every delivery for as long as it is kept.
    const overlaps = canOpen(secrets, row.secret, id);
    const endpoint = await change(tx, context, id, {
      secret: secrets.seal(secret, id),
      previousSecret: overlaps ? row.secret : null,
      previousSecretUntil: overlaps ? new Date(context.now.getTime() + OVERLAP_HOURS * HOUR_MS) : null,
    });
    await context.audit(tx, 'event_endpoint.secret_rotated', { endpoint_id: id });
    return { endpoint, secret };
  });
};

function canOpen(secrets: SecretBox, sealed: string, id: string): boolean {
  try {
    secrets.open(sealed, id);
    return true;
  } catch (error) {
    if (error instanceof UnreadableSecretError) return false;
    throw error;
  }
}

/** Changes an endpoint that the transaction has locked. */
async function change(
  tx: Tx,
  { tenantId, now }: Context,
  id: string,
  changes: Partial<EventEndpointRow>,
): Promise<EventEndpoint> {
  const [row] = await tx
    .update(eventEndpoints)
    .set({ ...changes, updatedAt: now })
    .where(isEndpoint(tenantId, id))
    .returning();
  if (!row) throw noEndpoint();
  return toEndpoint(row);
}

/**
 * Turns off the endpoints whose addresses a human chose, when the agent is taken from them: else what happens to it, and its users'
 * ids, went on to them. Who chose an address last stands in the audit log. Another human of the agent may turn them on again.
 */
export const turnOffEndpoints: AgentTaken = async (tx, services, { tenantId, userId }) => {
  const now = services.clock();
  const turnedOff = await rows<{ id: string }>(
    tx,
    sql`UPDATE ${eventEndpoints} endpoint
        SET disabled_at = ${timestamptz(now)}, disabled_reason = 'human', updated_at = ${timestamptz(now)}
        WHERE tenant_id = ${tenantId}::uuid AND disabled_at IS NULL AND ${userId} = (
          SELECT by_credential_id FROM ${auditEntries} entry
          WHERE entry.tenant_id = endpoint.tenant_id AND chain = 'account' AND touched ->> 'endpoint_id' = endpoint.id::text
            AND (act = 'event_endpoint.created' OR (act = 'event_endpoint.updated' AND touched -> 'fields' ? 'url'))
          ORDER BY sequence DESC LIMIT 1)
        RETURNING id`,
  );
  for (const { id } of turnedOff) {
    const touched = { endpoint_id: id, fields: ['enabled'] };
    await appendToAuditLog(tx, services, [tenantId], {
      act: 'event_endpoint.updated',
      by: OPERATOR,
      touched,
    });
  }
};
