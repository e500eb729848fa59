import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

/** The best one first. */
const ENCODINGS = ['br', 'gzip'] as const;

/** An answer that is the same for everyone, in each encoding. */
interface FixedAnswer {
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/**
 * Answers with a text that never changes while the service runs. It is made, and compressed, when somebody first asks: it is
 * large, and most services are never asked. From then on an answer costs next to nothing, and all of them share its bytes:
 * whoever needs no key to ask must not be able to keep the process busy, or fill its memory.
 */
export function fixedAnswer(type: string, make: () => Promise<string>): RequestHandler {
  let made: Promise<FixedAnswer> | undefined;
  return async (request, response) => {
    made ??= make().then(fix);
    const answer = await made;
    const encoding = ENCODINGS.find((one) => request.acceptsEncodings(one));
    response.vary('Accept-Encoding').type(type).setHeader('ETag', answer.etag);
    if (encoding) response.setHeader('Content-Encoding', encoding);
    response.send(answer[encoding ?? 'plain']);
  };
}

async function fix(text: string): Promise<FixedAnswer> {
  const plain = Buffer.from(text);
  const hash = createHash('sha256').update(plain).digest('base64url');
  return {
    // A weak one: it is the same in each encoding.
    etag: `W/"${hash.slice(0, 22)}"`,
    plain,
    // The best quality takes seconds.
    br: await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    gzip: await promisify(gzip)(plain),
  };
}
