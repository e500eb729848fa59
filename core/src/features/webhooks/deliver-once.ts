import { performance } from 'node:perf_hooks';
import { Webhook } from 'standardwebhooks';
import type { DeliveryAttempt } from '../../kernel/commit/outbox-schema.ts';
import type { Services } from '../../kernel/context/context.ts';
import { readRetryAfter } from '../../kernel/runtime/retry-after.ts';
import type { ClaimedDelivery } from './claim.ts';
import { failureOf, post } from './post.ts';
import { UnreadableSecretError } from './secret-box.ts';
import { parseTarget } from './target.ts';
import type { Webhooks } from './webhooks.ts';

export interface AttemptResult {
  readonly entry: DeliveryAttempt;
  readonly succeeded: boolean;
  /** The target answered 410 Gone: it wants no more events. */
  readonly gone: boolean;
  readonly retryAfterMs: number | undefined;
}

const GONE = 410;

/**
 * Sends one event once, signed as Standard Webhooks defines with every active secret. Only a 2xx status is a success.
 *
 * @throws the signal's reason when the process stops; every other failure is returned.
 */
export async function deliverOnce(
  { clock }: Pick<Services, 'clock'>,
  webhooks: Webhooks,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const at = clock();
  const started = performance.now();
  const base = { attempt: claimed.attempts + 1, at: at.toISOString() };
  const ms = () => Math.round(performance.now() - started);
  try {
    const body = bodyOf(claimed);
    const url = parseTarget(claimed.url, webhooks);
    const { timeoutMs } = webhooks;
    const headers = headersOf(claimed, body, webhooks, at);
    const { statusCode, retryAfter, excerpt } = await post(
      { url, headers, body, timeoutMs, signal },
      webhooks,
    );
    const succeeded = statusCode >= 200 && statusCode < 300;
    return {
      entry: {
        ...base,
        status_code: statusCode,
        ms: ms(),
        error: succeeded ? null : refusalOf(statusCode),
        response_excerpt: excerpt,
      },
      succeeded,
      gone: statusCode === GONE,
      retryAfterMs: readRetryAfter(retryAfter, at),
    };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof UnreadableSecretError ? error.message : failureOf(error);
    return {
      entry: { ...base, status_code: null, ms: ms(), error: reason, response_excerpt: null },
      succeeded: false,
      gone: false,
      retryAfterMs: undefined,
    };
  }
}

/** The body of a webhook. It is the same in every attempt. */
function bodyOf({ tenantId, event }: ClaimedDelivery): string {
  const { id, type, timestamp, data } = event;
  return JSON.stringify({ id, type, timestamp: timestamp.toISOString(), tenant_id: tenantId, data });
}

function headersOf(
  { endpointId, secrets, event }: ClaimedDelivery,
  body: string,
  webhooks: Webhooks,
  at: Date,
) {
  const signatures = secrets.map((sealed) =>
    new Webhook(webhooks.secrets.open(sealed, endpointId)).sign(event.id, at, body),
  );
  return {
    'content-type': 'application/json',
    'user-agent': 'agent-memory-service',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

function refusalOf(statusCode: number): string {
  if (statusCode === GONE) return 'the target is gone (410); the endpoint was switched off';
  if (statusCode >= 300 && statusCode < 400) return 'the target redirects, which is not followed';
  return `the target answered ${statusCode}`;
}
