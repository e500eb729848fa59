import { createServer } from 'node:http';
import { listen } from '../../../test/kit/listen.ts';

/** A local server that speaks as S3 does, as far as reading a bucket goes. */
export interface S3Server {
  readonly endpoint: string;
  readonly calls: string[];
  close(): Promise<unknown>;
}

const PAGE = 2;
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Serves buckets of objects by name, to those who sign with this key id; lists come in pages of two. */
export async function startS3Server(
  keyId: string,
  buckets: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<S3Server> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    const [, bucket = '', ...path] = pathname.split('/').map(decodeURIComponent);
    const objects = Object.hasOwn(buckets, bucket) ? buckets[bucket] : undefined;
    const name = path.join('/');
    if (!request.headers.authorization?.startsWith(`AWS4-HMAC-SHA256 Credential=${keyId}/`)) {
      response.writeHead(403).end();
    } else if (!objects) response.writeHead(404).end();
    else if (searchParams.has('list-type')) {
      const prefix = searchParams.get('prefix') ?? '';
      const names = Object.keys(objects).filter((one) => one.startsWith(prefix));
      const from = Number(searchParams.get('continuation-token') ?? 0);
      const contents = names.slice(from, from + PAGE).map((one) => {
        return `<Contents><Key>${escapeXml(encodeURIComponent(one))}</Key><Size>${objects[one]?.length}</Size></Contents>`;
      });
      const next =
        from + PAGE < names.length ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : '';
      response.end(`<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`);
    } else if (Object.hasOwn(objects, name)) response.end(objects[name]);
    else response.writeHead(404).end();
  });
  const { url, close } = await listen(server);
  return { endpoint: url, calls, close };
}
