import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { type EventEndpointRow, eventEndpoints } from '../../kernel/commit/outbox-schema.ts';
import type { Context } from '../../kernel/context/context.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { EventEndpoint } from './contract.ts';
import { parseTarget, resolveTarget, TargetError } from './target.ts';
import type { Webhooks } from './webhooks.ts';

const SECRET_BYTES = 32;

/** Reads the tenant's endpoint and locks it until the transaction ends. Throws `NOT_FOUND`. */
export async function findEndpoint(tx: Tx, { tenantId }: Context, id: string): Promise<EventEndpointRow> {
  const [row] = await tx.select().from(eventEndpoints).where(isEndpoint(tenantId, id)).for('update');
  if (!row) throw noEndpoint();
  return row;
}

export const isEndpoint = (tenantId: string, id: string) =>
  and(eq(eventEndpoints.tenantId, tenantId), eq(eventEndpoints.id, id));

/** The error for an id that names no endpoint of this tenant. */
export const noEndpoint = () => new SvcError('NOT_FOUND', 'There is no event endpoint with this id.');

/** A new Standard Webhooks secret: 256 random bits. */
export const createWebhookSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** The webhook settings. Throws `UNAVAILABLE` when the service was started without a secret. */
export function requireWebhooks({ webhooks }: Context): Webhooks {
  if (webhooks) return webhooks;
  throw new SvcError(
    'UNAVAILABLE',
    'This service has no secret to keep webhook secrets with; set SVC_SECRET.',
  );
}

/**
 * Checks that events may be sent to a URL, by its form and by every address that its host resolves to now.
 *
 * @returns the normalised URL.
 * @throws SvcError `VALIDATION_ERROR` with the reason.
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
