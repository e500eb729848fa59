import { SvcError } from '@svc-memory/core/contract';
import { yieldToEventLoop } from '@svc-memory/core/server';
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

/**
 * Characters of what a listing says of one object: its name has up to 1,024 bytes, of which an encoded one takes three characters.
 */
const MOST_OF_OBJECT = 16 * 1024;
/** Characters of all else in a listing. */
const MOST_AROUND = 64 * 1024;

const CONTENTS = '<Contents>';
const CONTENTS_END = '</Contents>';

const object = z.object({
  Contents: z.tuple([z.object({ Key: z.string(), Size: z.string().regex(/^\d{1,15}$/) })]),
});
const result = z.object({ NextContinuationToken: z.string().optional() });
// The parser gives an element without children as an empty text.
const listing = z.object({ ListBucketResult: z.preprocess((value) => (value === '' ? {} : value), result) });

/**
 * Reads an answer of `ListObjectsV2` with `encoding-type=url`, object by object: of a megabyte as a whole the parser would hold the
 * process for up to two seconds.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 *
 * @throws SvcError `UNAVAILABLE` for any other text.
 */
export async function objectsOf(xml: string): Promise<{ objects: ListedObject[]; next: string | undefined }> {
  try {
    // S3 sends no document type. One could declare entities that expand to gigabytes.
    if (xml.includes('<!')) throw new TypeError('a listing has no document type');
    const objects: ListedObject[] = [];
    let around = '';
    let end = 0;
    for (let start = xml.indexOf(CONTENTS); start >= 0; start = xml.indexOf(CONTENTS, end)) {
      await yieldToEventLoop();
      around += xml.slice(end, start);
      end = xml.indexOf(CONTENTS_END, start) + CONTENTS_END.length;
      objects.push(objectOf(xml.slice(start, end)));
    }
    around += xml.slice(end);
    if (around.length > MOST_AROUND) throw new TypeError('a listing is of objects');
    const { NextContinuationToken: next } = listing.parse(parser.parse(around)).ListBucketResult;
    return { objects, next: next === '' ? undefined : next };
  } catch (cause) {
    throw new SvcError('UNAVAILABLE', 'The endpoint does not answer as S3 does.', { cause });
  }
}

/** @param xml The element of one object; empty where it has no end. */
function objectOf(xml: string): ListedObject {
  if (xml === '' || xml.length > MOST_OF_OBJECT) throw new TypeError('an object is short');
  const [{ Key, Size }] = object.parse(parser.parse(xml)).Contents;
  return { key: decodeURIComponent(Key.replaceAll('+', ' ')), size: Number(Size) };
}
