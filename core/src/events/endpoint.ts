import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { invalid, SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import type { EventDelivery, EventEndpoint } from './contract.ts';
import { type EventDeliveryRow, type EventEndpointRow, eventEndpoints } from './schema.ts';
import { parseTarget, resolveTarget, TargetError } from './target.ts';
import type { Webhooks } from './webhooks.ts';

const SECRET_BYTES = 32;

/** The tenant's endpoint, locked until the transaction ends. Throws `NOT_FOUND`. */
export async function findEndpoint(tx: Tx, { tenantId }: Context, id: string): Promise<EventEndpointRow> {
  const [row] = await tx.select().from(eventEndpoints).where(own(tenantId, id)).for('update');
  if (!row) throw noEndpoint();
  return row;
}

/** Selects one endpoint of a tenant. */
export const own = (tenantId: string, id: string) =>
  and(eq(eventEndpoints.tenantId, tenantId), eq(eventEndpoints.id, id));

/** The answer for an id that names no endpoint of this tenant. */
export const noEndpoint = () => new SvcError('NOT_FOUND', 'There is no event endpoint with this id.');

/** A new Standard Webhooks secret: 256 random bits. */
export const createWebhookSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** What sending needs; throws `UNAVAILABLE` where the service was started without it. */
export function requireWebhooks({ webhooks }: Context): Webhooks {
  if (webhooks) return webhooks;
  throw new SvcError(
    'UNAVAILABLE',
    'This service has no secret to keep webhook secrets with; set SVC_SECRET.',
  );
}

/**
 * Checks that events may be sent to an address, by its form and by every address it resolves to now.
 *
 * @returns the address as it is stored.
 * @throws SvcError `VALIDATION_ERROR` that says what is wrong with it.
 */
export async function checkTarget(text: string, webhooks: Webhooks): Promise<string> {
  try {
    const url = parseTarget(text, webhooks);
    await resolveTarget(url.hostname, webhooks);
    return url.href;
  } catch (error) {
    if (error instanceof TargetError) throw invalid('url', error.message);
    throw invalid('url', 'has a host name that cannot be resolved');
  }
}

/** An endpoint as the API shows it, without its secret. */
export function toEndpoint(row: EventEndpointRow): EventEndpoint {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    enabled: row.disabledAt === null,
    disabled_reason: row.disabledReason,
    failing_since: row.failingSince?.toISOString() ?? null,
    previous_secret_expires_at: row.previousSecretUntil?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** A delivery as the API shows it. */
export function toDelivery(row: EventDeliveryRow): EventDelivery {
  return {
    id: row.id,
    event_id: row.eventId,
    type: row.type,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    next_attempt_at: row.status === 'pending' ? row.dueAt.toISOString() : null,
    attempts: row.log,
  };
}
