import { SvcError } from '@svc-memory/core/contract';
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';

/** An object of a bucket. */
export interface ListedObject {
  readonly key: string;
  readonly size: number;
}

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  isArray: (name) => name === 'Contents',
});

const result = z.object({
  Contents: z.array(z.object({ Key: z.string(), Size: z.string().regex(/^\d{1,15}$/) })).default([]),
  NextContinuationToken: z.string().optional(),
});
// The parser gives an element without children as an empty text.
const listing = z.object({ ListBucketResult: z.preprocess((value) => (value === '' ? {} : value), result) });

/**
 * Reads an answer of `ListObjectsV2` with `encoding-type=url`.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 *
 * @throws SvcError `UNAVAILABLE` for any other text.
 */
export function objectsOf(xml: string): { objects: ListedObject[]; next: string | undefined } {
  try {
    // S3 sends no document type. One could declare entities that expand to gigabytes.
    if (xml.includes('<!')) throw new TypeError('a listing has no document type');
    const { ListBucketResult } = listing.parse(parser.parse(xml));
    const objects = ListBucketResult.Contents.map(({ Key, Size }) => ({
      key: decodeURIComponent(Key.replaceAll('+', ' ')),
      size: Number(Size),
    }));
    return { objects, next: ListBucketResult.NextContinuationToken };
  } catch (cause) {
    throw new SvcError('UNAVAILABLE', 'The endpoint does not answer as S3 does.', { cause });
  }
}
