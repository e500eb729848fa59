import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { checkedLookup, resolveTarget, TargetError, type TargetPolicy } from './target.ts';

const READ_BYTES = 4_096;
const EXCERPT_CHARACTERS = 256;

/** A body to send once. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds for everything: name, connection, TLS, answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What a target answered. */
export interface Answered {
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  readonly excerpt: string;
}

/**
 * Sends one POST. The addresses are checked where the connection takes them from, so a name that changes its address
 * after a check (DNS rebinding) is checked again. Redirects are an answer like any other. Of the answer 4 KiB are read.
 *
 * @throws TargetError where an address is not allowed; otherwise an error whose `failureOf` is fit to be shown.
 */
export async function post(
  { url, headers, body, timeoutMs, signal }: Post,
  policy: TargetPolicy,
): Promise<Answered> {
  // A literal address is never looked up by the connection.
  if (/^\[|^[\d.]+$/.test(url.hostname)) await resolveTarget(url.hostname, policy);
  const timeout = AbortSignal.timeout(timeoutMs);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), 'accept-encoding': 'identity' },
    lookup: checkedLookup(policy),
    // A connection of its own: one kept alive would skip the check.
    agent: false,
    signal: AbortSignal.any([signal, timeout]),
  });
  try {
    request.end(body);
    const response = await answer(request);
    const { statusCode = 0, headers } = response;
    return { statusCode, retryAfter: headers['retry-after'], excerpt: await readStart(response) };
  } catch (error) {
    throw timeout.aborted && !signal.aborted ? new SlowTargetError(timeoutMs) : error;
  } finally {
    request.destroy();
  }
}

class SlowTargetError extends Error {
  override readonly name = 'SlowTargetError';
  constructor(timeoutMs: number) {
    super(`no complete answer within ${timeoutMs / 1_000} s`);
  }
}

/** Says in words why nothing was answered, without addresses. */
export function failureOf(error: unknown): string {
  if (error instanceof TargetError) return `the target ${error.message}`;
  if (error instanceof SlowTargetError) return error.message;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return FAILURES[code] ?? `the connection failed${code ? ` (${code})` : ''}`;
}

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
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
};

function answer(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays: what fails after the answer came must not end the process.
    request.on('error', reject);
    // A connection that ends without an answer.
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}

/** The status decides; a body that breaks off or drips past the timeout is only cut short. */
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
