import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SvcError } from '@svc-memory/core/contract';
import { parseJson, parseJsonObject } from './json.ts';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads a request body that is a JSON object; an empty one is `{}`.
 *
 * @param limit Bytes the body may take, before and after decompression.
 * @throws SvcError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, or `VALIDATION_ERROR` naming the position.
 */
export async function readJsonBody(
  request: IncomingMessage,
  limit: number,
): Promise<Record<string, unknown>> {
  const text = await readJsonText(request, limit);
  return text === '' ? {} : parseJsonObject(text);
}

/** The same for any JSON; an empty body is undefined. */
export async function readJsonValue(request: IncomingMessage, limit: number): Promise<unknown> {
  const text = await readJsonText(request, limit);
  return text === '' ? undefined : parseJson(text);
}

async function readJsonText(request: IncomingMessage, limit: number): Promise<string> {
  if (isEmpty(request)) return '';
  requireJson(request.headers['content-type']);
  return decode(await readBytes(request, limit));
}

/**
 * Reads a request body of UTF-8 text; an empty one is ''.
 *
 * @param limit Bytes the body may take, before and after decompression.
 * @throws SvcError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` or `VALIDATION_ERROR`.
 */
export async function readTextBody(request: IncomingMessage, limit: number): Promise<string> {
  return isEmpty(request) ? '' : decode(await readBytes(request, limit));
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function requireJson(header: string | undefined): void {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (type !== 'application/json') {
    throw new SvcError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The body must be sent as Content-Type: application/json${type === '' ? '' : ', not as another type'}.`,
    );
  }
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) {
    throw new SvcError('UNSUPPORTED_MEDIA_TYPE', 'The body must be UTF-8.');
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('must be valid UTF-8');
  }
}

function malformed(message: string): SvcError {
  return new SvcError('VALIDATION_ERROR', `body: ${message}`, { details: [{ path: '', message }] });
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new SvcError('PAYLOAD_TOO_LARGE', `The body may take at most ${limit} bytes.`);
  const decoder = decoderFor(request.headers['content-encoding']);
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    let received = 0;
    const source = decoder ? request.pipe(decoder) : request;
    // The rest of a refused body is thrown away unread: closing at once would lose the answer on its way out.
    const fail = (error: unknown) => {
      source.off('data', take);
      request.off('data', count);
      if (decoder) {
        request.unpipe(decoder);
        decoder.destroy();
      }
      request.resume();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) fail(tooLarge());
      else chunks.push(chunk);
    };
    // Compressed data may go on for ever without giving anything: empty members, or a file name of gzip.
    const count = (chunk: Buffer) => {
      received += chunk.length;
      if (received > limit) fail(tooLarge());
    };
    if (decoder) request.on('data', count);
    source.on('data', take);
    source.once('end', () => resolve(Buffer.concat(chunks, size)));
    decoder?.once('error', () => fail(malformed('must match its Content-Encoding')));
    request.once('error', () => reject(malformed('must arrive whole')));
  });
}

function decoderFor(encoding: string | undefined): Transform | undefined {
  const name = encoding?.trim().toLowerCase();
  if (name === undefined || name === '' || name === 'identity') return undefined;
  const create = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!create) {
    throw new SvcError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Content-Encoding may be one of ${Object.keys(DECODERS).join(', ')}, or be left out.`,
    );
  }
  return create();
}
