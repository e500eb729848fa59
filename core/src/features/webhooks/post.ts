import type { IncomingMessage } from 'node:http';
import { limitTime } from '../../kernel/runtime/waiting.ts';
import { requestTarget, TargetError, type TargetPolicy } from './target.ts';

const READ_BYTES = 4_096;
const EXCERPT_CHARACTERS = 256;

interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds for everything: DNS, connection, TLS and response. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface WebhookResponse {
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  readonly excerpt: string;
}

/**
 * Sends one POST. Reads at most 4 KiB of the response.
 *
 * @throws TargetError when an address is not allowed; otherwise an error for `failureOf`.
 */
export async function post(
  { url, headers, body, timeoutMs, signal }: Post,
  policy: TargetPolicy,
): Promise<WebhookResponse> {
  const limit = limitTime(signal, timeoutMs);
  const request = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), 'accept-encoding': 'identity' },
    body,
    signal: limit.signal,
  } as const;
  try {
    const response = await requestTarget(url, request, policy);
    const { statusCode = 0, headers } = response;
    return { statusCode, retryAfter: headers['retry-after'], excerpt: await readStart(response) };
  } catch (error) {
    throw limit.signal.aborted && !signal.aborted ? new SlowTargetError(timeoutMs) : error;
  } finally {
    limit.end();
  }
}

class SlowTargetError extends Error {
  override readonly name = 'SlowTargetError';
  constructor(timeoutMs: number) {
    super(`no complete answer within ${timeoutMs / 1_000} s`);
  }
}

/** Describes why there was no response, without addresses. */
export function failureOf(error: unknown): string {
  if (error instanceof TargetError) return `the target ${error.message}`;
  if (error instanceof SlowTargetError) return error.message;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return FAILURES[code] ?? `the connection failed${code ? ` (${code})` : ''}`;
}

const NOT_TRUSTED =
  'the certificate is of an issuer that is not trusted, or the target does not send those in between';

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer came',
  EPIPE: 'the connection was closed before an answer came',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
};

/** Reads the start of the body. Only the status decides: a body that breaks off or times out is cut short. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= READ_BYTES) break;
    }
  } catch {}
  const text = Buffer.concat(chunks).subarray(0, READ_BYTES).toString('utf8');
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, EXCERPT_CHARACTERS)
    .toWellFormed();
}
