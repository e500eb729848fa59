import type { IncomingMessage } from 'node:http';
import type { FetchClientMetadata } from '@svc-memory/core';
import { parseTarget, requestTarget, systemResolve, type TargetPolicy } from '@svc-memory/core/server';

const TIMEOUT_MS = 5_000;
const DOCUMENT_BYTES = 16 * 1024;

/**
 * Reads metadata documents of apps. Anybody signed in can name the address, so it is read like a webhook's target: public
 * addresses only, checked where the connection is made, without redirects, in five seconds and 16 KiB.
 *
 * @param policy Default: public addresses only, by the system's resolver.
 */
export function createClientMetadataReader(policy: Partial<TargetPolicy> = {}): FetchClientMetadata {
  const inForce: TargetPolicy = { allowPrivate: false, resolve: systemResolve, ...policy };
  return async (address, signal) => {
    const url = parseTarget(address.href, inForce);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
    try {
      const response = await requestTarget(url, { headers, signal: limit }, inForce);
      return await readJson(response).finally(() => response.destroy());
    } catch (error) {
      if (limit.aborted && !signal.aborted) throw new Error(`it did not come within ${TIMEOUT_MS / 1_000} s`);
      throw error;
    }
  };
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  const { statusCode, headers } = response;
  if (statusCode !== 200) throw new Error(`its server answers ${statusCode}, not 200`);
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(type)) throw new Error('it is not JSON');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > DOCUMENT_BYTES) throw new Error(`it is larger than ${DOCUMENT_BYTES / 1024} KiB`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new Error('it is not JSON');
  }
}
