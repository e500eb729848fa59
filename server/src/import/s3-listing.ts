import { SvcError } from '@svc-memory/core/contract';

/** An object of a bucket. */
export interface ListedObject {
  readonly key: string;
  readonly size: number;
}

const CONTENTS = /<Contents>(.*?)<\/Contents>/gs;

/**
 * Reads an answer of `ListObjectsV2` with `encoding-type=url`, where names hold nothing that XML would escape.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 */
export function objectsOf(xml: string): { objects: ListedObject[]; next: string | undefined } {
  if (!xml.includes('<ListBucketResult')) throw noListing();
  const objects = [...xml.matchAll(CONTENTS)].map(([, contents = '']) => {
    const key = /<Key>([^<]*)<\/Key>/.exec(contents)?.[1];
    const size = Number(/<Size>(\d{1,15})<\/Size>/.exec(contents)?.[1] ?? Number.NaN);
    if (key === undefined || Number.isNaN(size)) throw noListing();
    return { key: decode(key), size };
  });
  const token = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(xml)?.[1];
  return { objects, next: token === undefined ? undefined : unescapeXml(token) };
}

function decode(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    throw noListing();
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|apos);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

function noListing(): SvcError {
  return new SvcError('UNAVAILABLE', 'The endpoint does not answer as S3 does.');
}
