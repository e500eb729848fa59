import type { Engine } from '@svc-memory/core';
import { invalid, type Route, SvcError } from '@svc-memory/core/contract';
import type { Request, RequestHandler } from 'express';
import { actorOf, callerOf } from '../access/credential.ts';
import { sendSuccess } from '../answers/success.ts';
import { readJsonBody } from '../request/body.ts';
import { readCallOptions } from '../request/call-options.ts';
import { createQueryReader, refuseQuery } from '../request/query.ts';
import { pathParameters, type RestEndpoint } from './endpoints.ts';

/**
 * Answers one endpoint by its operation: collects the fields from path, query or body, calls the engine
 * and sends the answer with `success: true`.
 */
export function answerOperation(
  engine: Engine,
  endpoint: RestEndpoint,
  bodyLimit: number,
  publicUrl?: string,
): RequestHandler {
  const inPath = pathParameters(endpoint.path);
  // HTTP gives the body of a DELETE no meaning, and some clients send none: its fields may be in the query as well.
  const takesQuery = endpoint.form === 'query' || endpoint.method === 'DELETE';
  const readQuery = takesQuery ? createQueryReader(endpoint.route, inPath) : refuseQuery;

  return async (request, response) => {
    const caller = callerOf(response);
    const parameters = readPath(endpoint.route, inPath, request);
    const query = readQuery(request.originalUrl);
    // A body on GET means nothing in HTTP, and is not read.
    const body = endpoint.form === 'body' ? await readJsonBody(request, bodyLimit) : {};
    for (const name of inPath) {
      if (Object.hasOwn(body, name)) throw invalid(name, 'is in the path already; leave it out of the body');
    }
    for (const name of Object.keys(query)) {
      if (Object.hasOwn(body, name)) throw invalid(name, 'is in the query already; leave it out of the body');
    }
    const answer = await engine.call(
      endpoint.name,
      { tenantId: caller.tenantId, actor: actorOf(caller) },
      { ...body, ...query, ...parameters },
      readCallOptions(request, response, publicUrl),
    );
    sendSuccess(response, answer);
  };
}

/** What an unknown id is answered with, by its name in the path. */
const UNKNOWN: Readonly<Record<string, string>> = {
  user_id: 'Nothing is stored about this user.',
  space_id: 'There is no space with this id.',
};

/** A malformed id is answered like an unknown one: nothing can have it. */
function readPath(route: Route, names: readonly string[], request: Request): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of names) {
    const value = String(request.params[name]);
    if (route.request.shape[name]?.safeParse(value).success === false) {
      throw new SvcError('NOT_FOUND', UNKNOWN[name] ?? 'There is no memory with this id.');
    }
    fields[name] = value;
  }
  return fields;
}
