import { once } from 'node:events';
import type { Engine, Streams } from '@svc-memory/core';
import type { Parsed, Route } from '@svc-memory/core/contract';
import { parseInput, SvcError } from '@svc-memory/core/contract';
import type { RequestHandler } from 'express';
import { actorOf, callerOf, isStillAllowed } from '../access/credential.ts';
import { createPlaces } from '../limits/places.ts';
import { readCallOptions } from '../request/call-options.ts';
import { createQueryReader } from '../request/query.ts';

/** A route that streams, from its parsed request: the text, and the field of the answer that JSON stands in. */
interface Streamed {
  readonly text: AsyncGenerator<string>;
  readonly field: string;
}

const STREAMED = {
  export: (streams, { format, user_id: userId, space_id: spaceId, ...moments }: Parsed<'export'>) => ({
    text: streams.export(format, { asOf: moments.as_of, knownAt: moments.known_at, userId, spaceId }),
    field: 'export',
  }),
  exportAuditLog: (streams, { format, chain }: Parsed<'exportAuditLog'>) => ({
    text: streams.exportAuditLog(format, chain),
    field: 'entries',
  }),
} satisfies Record<string, (streams: Streams, asked: never) => Streamed>;

/** Exports at once: each keeps a part of what it sends in memory, for as long as its client reads. */
const EXPORTS = { perAgent: 3, perAccount: 12 };

/** Whether an operation is answered as a stream. */
export function isStreamed(name: string): name is keyof typeof STREAMED {
  return Object.hasOwn(STREAMED, name);
}

/**
 * Makes the handlers of exports, which share the places for them.
 *
 * @param signIn Checks the credential again, as it was checked first.
 */
export function createExports(
  engine: Engine,
  signIn: RequestHandler,
): (name: keyof typeof STREAMED, route: Route) => RequestHandler {
  const takePlace = createPlaces(engine, EXPORTS);
  const { perAgent, perAccount } = EXPORTS;
  const message = `There are ${perAgent} exports of this agent, or ${perAccount} of its account, already.`;
  return (name, route) => {
    const answer = answerExport(engine, name, { route, signIn });
    return async (request, response, next) => {
      await takePlace(callerOf(response).tenantId, response, message);
      return answer(request, response, next);
    };
  };
}

/**
 * Answers an export as a stream of any length. Where it fails midway, the connection is cut: the client must not take a part
 * for the whole.
 */
function answerExport(
  engine: Engine,
  name: keyof typeof STREAMED,
  { route, signIn }: { readonly route: Route; readonly signIn: RequestHandler },
): RequestHandler {
  const readQuery = createQueryReader(route, []);
  const open = STREAMED[name] as (streams: Streams, asked: object) => Streamed;
  return async (request, response) => {
    const caller = callerOf(response);
    const asked = parseInput(route.request, readQuery(request.originalUrl)) as { format: string };
    const streams = engine.streams(caller.tenantId, actorOf(caller), readCallOptions(request, response));
    const { text: document, field } = open(streams, asked);
    const type = route.streams?.[asked.format];
    const text = await begun(type === undefined ? wrapped(document, field) : document);
    response.status(200).type(type ?? 'json');
    const { tenantId } = caller;
    for await (const part of text) {
      if (response.write(part)) continue;
      await once(response, 'drain', { signal: response.locals.signal });
      // A slow reader takes hours, in which its key may be revoked, or its session end.
      if (!(await isStillAllowed(request, response, { identify: signIn, tenantId }))) throw ended();
    }
    response.end();
  };
}

function ended(): SvcError {
  return new SvcError('UNAUTHORIZED', 'The API key, or the sign-in, of this export has ended.');
}

/** The answer's own frame around the document. */
async function* wrapped(document: AsyncIterable<string>, field: string): AsyncGenerator<string> {
  yield `{"success":true,"${field}":`;
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
