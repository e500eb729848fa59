import { performance } from 'node:perf_hooks';
import { Webhook } from 'standardwebhooks';
import type { Dependencies } from '../engine/context.ts';
import type { Claimed } from './claim.ts';
import type { DeliveryAttempt } from './contract.ts';
import { failureOf, post } from './post.ts';
import { readRetryAfter } from './schedule.ts';
import { UnreadableSecretError } from './secret-box.ts';
import { parseTarget } from './target.ts';
import type { Webhooks } from './webhooks.ts';

/** What one attempt came to. */
export interface Attempted {
  readonly entry: DeliveryAttempt;
  readonly succeeded: boolean;
  /** The target said 410: it wants no more. */
  readonly gone: boolean;
  readonly retryAfterMs: number | undefined;
}

const GONE = 410;

/**
 * Sends one event once, signed by Standard Webhooks with every secret in force. Only 2xx is success.
 *
 * @throws the signal's reason when the process stops; every other failure is answered.
 */
export async function attempt(
  { clock }: Pick<Dependencies, 'clock'>,
  webhooks: Webhooks,
  claimed: Claimed,
  signal: AbortSignal,
): Promise<Attempted> {
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

/** The body of a webhook; the same in every attempt. Design 5, events out. */
function bodyOf({ tenantId, event }: Claimed): string {
  const { id, type, timestamp, data } = event;
  return JSON.stringify({ id, type, timestamp: timestamp.toISOString(), tenant_id: tenantId, data });
}

function headersOf({ endpointId, secrets, event }: Claimed, body: string, webhooks: Webhooks, at: Date) {
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
