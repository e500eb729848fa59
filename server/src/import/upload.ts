import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { IncomingFile } from '@svc-memory/core';
import { invalid, SvcError } from '@svc-memory/core/contract';
import { shownName } from '@svc-memory/core/server';
import busboy from 'busboy';

const MOST_FILES = 20_000;

/**
 * The files of a `multipart/form-data` request, one after the other as they arrive; nothing of them is held in memory.
 *
 * @throws SvcError `VALIDATION_ERROR` for a body that is no such form, breaks off, or has parts that are no files.
 */
export async function* readMultipart(request: IncomingMessage): AsyncGenerator<IncomingFile> {
  const parts = startParsing(request);
  try {
    for (;;) {
      const part = await parts.next();
      if (!part) return;
      yield part;
    }
  } finally {
    parts.end();
  }
}

/** The body itself as one file. */
export async function* readRaw(request: IncomingMessage, name: string): AsyncGenerator<IncomingFile> {
  yield { path: name, bytes: bytesOf(request) };
}

/** @throws SvcError where the body is compressed on its way, which the limits could not see. */
export function refuseEncoded(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return;
  throw new SvcError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Files are sent without Content-Encoding; zip archives are opened.',
  );
}

interface Parts {
  next(): Promise<IncomingFile | undefined>;
  end(): void;
}

/** Turns the parser's events into a queue of files. The parser waits while the file in front is not read. */
function startParsing(request: IncomingMessage): Parts {
  const queue: IncomingFile[] = [];
  let finished = false;
  let failure: unknown;
  let wake = () => {};
  const notice = () => wake();
  const fail = (error: unknown) => {
    failure ??= error;
    notice();
  };
  const parser = createParser(request);
  parser.on('file', (field, stream, { filename }) => {
    // The parser reports the same error. Without a listener the stream's own event would end the process.
    stream.on('error', fail);
    if (field !== 'file')
      fail(invalid(shownName(field), 'is no part of an import; name the parts with files "file"'));
    else if (!filename) fail(invalid('file', 'has no file name'));
    else queue.push({ path: filename, bytes: bytesOf(stream) });
    notice();
  });
  parser.on('field', (name) =>
    fail(invalid(shownName(name), 'belongs into the query: /import?dry_run=true&format=…')),
  );
  parser.on('filesLimit', () =>
    fail(invalid('file', `must be at most ${MOST_FILES} parts; send a zip archive`)),
  );
  parser.on('error', (error) => fail(brokenOff(error)));
  parser.on('close', () => {
    finished = true;
    notice();
  });
  request.once('close', () => {
    if (!request.complete) fail(brokenOff());
  });
  request.pipe(parser);
  return {
    next: async () => {
      for (;;) {
        if (failure !== undefined) throw failure;
        const file = queue.shift();
        if (file || finished) return file;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    end: () => {
      request.unpipe(parser);
      // The rest of a refused body is thrown away unread: closing at once would lose the answer on its way out.
      request.resume();
    },
  };
}

function createParser(request: IncomingMessage) {
  try {
    return busboy({
      headers: request.headers,
      // Folders are kept: they are shown, and dates and categories are read from names.
      preservePath: true,
      defParamCharset: 'utf8',
      limits: { files: MOST_FILES, fields: 8, fieldSize: 1_024, headerPairs: 32 },
    });
  } catch {
    throw new SvcError('VALIDATION_ERROR', 'Content-Type: must be multipart/form-data with a boundary', {
      details: [{ path: 'Content-Type', message: 'must be multipart/form-data with a boundary' }],
    });
  }
}

async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    // The stream stays: it is a request, whose answer is still to be sent.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
      yield chunk;
  } catch (error) {
    throw brokenOff(error);
  }
}

function brokenOff(cause?: unknown): SvcError {
  return new SvcError('VALIDATION_ERROR', 'body: must arrive whole', {
    details: [{ path: 'body', message: 'must arrive whole' }],
    cause,
  });
}
