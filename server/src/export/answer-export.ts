import { once } from 'node:events';
import type { Engine } from '@svc-memory/core';
import type { Parsed, Route } from '@svc-memory/core/contract';
import { parseInput } from '@svc-memory/core/contract';
import type { RequestHandler } from 'express';
import { actorOf, callerOf } from '../access/credential.ts';
import { readCallOptions } from '../request/call-options.ts';
import { createQueryReader } from '../request/query.ts';

/**
 * Answers `GET /export` as a stream of any length. Where the export fails midway, the connection is cut: the client must
 * not take a part for the whole.
 */
export function answerExport(engine: Engine, route: Route): RequestHandler {
  const readQuery = createQueryReader(route, []);
  return async (request, response) => {
    const caller = callerOf(response);
    const asked = parseInput(route.request, readQuery(request.originalUrl)) as Parsed<'export'>;
    const { format, as_of: asOf, known_at: knownAt } = asked;
    const streams = engine.streams(caller.tenantId, actorOf(caller), readCallOptions(request, response));
    const document = streams.export(format, { asOf, knownAt });
    const text = await begun(format === 'json' ? wrapped(document) : document);
    response.status(200).type(format === 'json' ? 'json' : 'text/markdown');
    if (request.method === 'HEAD') {
      await text.return(undefined);
      response.end();
      return;
    }
    for await (const part of text) {
      if (!response.write(part)) await once(response, 'drain', { signal: response.locals.signal });
    }
    response.end();
  };
}

/** The answer's own frame around the document. */
async function* wrapped(document: AsyncIterable<string>): AsyncGenerator<string> {
  yield '{"success":true,"export":';
  yield* document;
  yield '}';
}

/** Reads the first pieces before the headers are sent, so that an early failure is answered as an error. */
async function begun(text: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const pieces = [await text.next(), await text.next()];
  return (async function* () {
    try {
      for (const { value, done } of pieces) if (!done) yield value;
      yield* text;
    } finally {
      await text.return(undefined);
    }
  })();
}
