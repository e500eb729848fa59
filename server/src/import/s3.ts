import type { IncomingFile, S3Source } from '@svc-memory/core';
import { invalid, SvcError } from '@svc-memory/core/contract';
import {
  IMPORT_LIMITS,
  parseTarget,
  requestTarget,
  resolveTarget,
  TargetError,
  type TargetPolicy,
} from '@svc-memory/core/server';

const TIMEOUT_MS = 300_000;
const LISTING_BYTES = 8 * 1024 * 1024;

/**
 * Fetches the objects of a bucket of S3, or of what speaks like it (MinIO, R2, Ceph …), by signature version 4. Every
 * connection goes to an address that was checked, and redirects are not followed.
 *
 * @throws SvcError `VALIDATION_ERROR` for endpoints that may not be called, unknown buckets and wrong keys;
 *   `PAYLOAD_TOO_LARGE`; `UNAVAILABLE` where the bucket does not answer.
 */
export async function* fetchS3(
  source: S3Source,
  policy: TargetPolicy,
  signal: AbortSignal,
): AsyncGenerator<IncomingFile> {
  const bucket = await openBucket(source, policy, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
  // Only imports from a bucket load the XML parser.
  const { objectsOf } = await import('./s3-listing.ts');
  let total = 0;
  let files = 0;
  let token: string | undefined;
  do {
    const listing = await objectsOf(await bucket.list(token));
    for (const { key, size } of listing.objects) {
      if (key.endsWith('/')) continue;
      files += 1;
      total += size;
      if (total > IMPORT_LIMITS.bytes || files > IMPORT_LIMITS.files) {
        const limits = `${IMPORT_LIMITS.bytes} bytes or ${IMPORT_LIMITS.files} files`;
        throw new SvcError('PAYLOAD_TOO_LARGE', `The bucket holds more than ${limits}. Name a prefix.`);
      }
      yield { path: key, bytes: bucket.read(key) };
    }
    token = listing.next;
  } while (token !== undefined);
  if (files === 0) throw invalid('s3.prefix', 'names nothing in this bucket');
}

async function openBucket(source: S3Source, policy: TargetPolicy, signal: AbortSignal) {
  const base = await checkEndpoint(source, policy);
  const sign = await signerOf(source);
  const get = async function* (url: URL): AsyncGenerator<Buffer> {
    try {
      const response = await requestTarget(url, { headers: await sign(url), signal }, policy);
      const { statusCode = 0 } = response;
      if (statusCode !== 200) {
        response.destroy();
        throw refused(statusCode);
      }
      yield* response as AsyncIterable<Buffer>;
    } catch (error) {
      throw explain(error);
    }
  };
  return {
    async list(token: string | undefined): Promise<string> {
      const url = new URL(base);
      const { prefix } = source;
      const query = { 'list-type': '2', 'encoding-type': 'url', ...(prefix === undefined ? {} : { prefix }) };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      if (token !== undefined) url.searchParams.set('continuation-token', token);
      const parts: Buffer[] = [];
      let size = 0;
      for await (const part of get(url)) {
        size += part.length;
        if (size > LISTING_BYTES) throw noS3();
        parts.push(part);
      }
      return Buffer.concat(parts).toString('utf8');
    },
    read(key: string): AsyncGenerator<Uint8Array> {
      const url = new URL(base);
      url.pathname = `${url.pathname.replace(/\/$/, '')}/${key.split('/').map(encodeStrictly).join('/')}`;
      return get(url);
    },
  };
}

/** Path style for given endpoints, which all of them know; Amazon's own wants the bucket in the host's name. */
async function checkEndpoint({ endpoint, bucket, region }: S3Source, policy: TargetPolicy): Promise<URL> {
  try {
    const base =
      endpoint === undefined
        ? new URL(`https://${bucket}.s3.${region}.amazonaws.com/`)
        : new URL(bucket, `${parseTarget(endpoint, policy).href.replace(/\/*$/, '')}/`);
    await checkAddress(base, policy);
    return base;
  } catch (error) {
    if (error instanceof TargetError) throw invalid('s3.endpoint', error.message);
    throw error;
  }
}

async function checkAddress(url: URL, policy: TargetPolicy): Promise<void> {
  await resolveTarget(url.hostname, policy).catch((error: unknown) => {
    const unknownName = new TargetError('has no address: the host name is not known');
    const shown = error instanceof TargetError ? error : unknownName;
    throw invalid('s3.endpoint', shown.message);
  });
}

async function signerOf(source: S3Source): Promise<(url: URL) => Promise<Record<string, string>>> {
  const {
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
    session_token: sessionToken,
    region,
  } = source;
  if (accessKeyId === undefined && secretAccessKey === undefined) return async () => ({});
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw invalid('s3.secret_access_key', 'belongs together with access_key_id: give both or neither');
  }
  // Only imports with a key load the signer.
  const { AwsV4Signer } = await import('aws4fetch');
  return async (url) => {
    const signer = new AwsV4Signer({
      ...{ url: url.href, method: 'GET', service: 's3', region, accessKeyId, secretAccessKey },
      ...(sessionToken === undefined ? {} : { sessionToken }),
    });
    const { headers } = await signer.sign();
    const pairs = [...headers].filter(([name]) => name !== 'host');
    return Object.fromEntries(pairs);
  };
}

function encodeStrictly(part: string): string {
  return encodeURIComponent(part).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function refused(status: number): SvcError {
  if (status === 403 || status === 401)
    return invalid('s3.access_key_id', 'may not read this bucket, or its secret is wrong');
  if (status === 404) return invalid('s3.bucket', 'is not known there');
  if (status >= 300 && status < 400) return invalid('s3.region', 'is not the one of this bucket');
  return new SvcError('UNAVAILABLE', `The bucket answered ${status}.`);
}

function noS3(): SvcError {
  return new SvcError('UNAVAILABLE', 'The endpoint does not answer as S3 does.');
}

/** In words without addresses. */
function explain(error: unknown): unknown {
  if (error instanceof SvcError) return error;
  if (error instanceof TargetError) return invalid('s3.endpoint', error.message);
  return new SvcError('UNAVAILABLE', 'The bucket does not answer, or broke off.', { cause: error });
}
