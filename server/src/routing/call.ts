import type { Engine } from '@svc-memory/core';
import { invalid, type Route, SvcError } from '@svc-memory/core/contract';
import type { Request, RequestHandler, Response } from 'express';
import { actorOf, callerOf, requireAccess } from '../access/credential.ts';
import { readJsonBody } from '../request/body.ts';
import { readCallOptions } from '../request/call-options.ts';
import { createQueryReader, refuseQuery } from '../request/query.ts';
import { type Endpoint, pathParameters } from './endpoints.ts';

/**
 * Answers one endpoint by its operation: checks access, collects the fields from path, query or body, calls the engine
 * and sends the answer with `success: true`.
 */
export function callOperation(engine: Engine, endpoint: Endpoint, bodyLimit: number): RequestHandler {
  const inPath = pathParameters(endpoint.path);
  const readQuery = endpoint.form === 'query' ? createQueryReader(endpoint.route, inPath) : refuseQuery;

  return async (request, response) => {
    const caller = callerOf(response);
    requireAccess(endpoint.route.access, caller);
    const parameters = readPath(endpoint.route, inPath, request);
    const query = readQuery(request.originalUrl);
    // A body on GET means nothing in HTTP, and is not read.
    const body = endpoint.form === 'body' ? await readJsonBody(request, bodyLimit) : {};
    for (const name of inPath) {
      if (Object.hasOwn(body, name)) throw invalid(name, 'is in the path already; leave it out of the body');
    }
    const answer = await engine.call(
      endpoint.name,
      { tenantId: caller.tenantId, actor: actorOf(caller) },
      { ...body, ...query, ...parameters },
      readCallOptions(request, response),
    );
    send(response, answer);
  };
}

/** Without what Express' own looks for in each answer: other types, tags, charsets. */
function send(response: Response, answer: object): void {
  response.statusCode = successStatus(answer);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ success: true, ...answer }));
}

/** 201 where something was created, 202 where it was queued, else 200. Design 5. */
export function successStatus(answer: object): 200 | 201 | 202 {
  const outcomes = 'results' in answer && Array.isArray(answer.results) ? answer.results.map(outcomeOf) : [];
  outcomes.push(outcomeOf(answer));
  if (outcomes.includes('created')) return 201;
  return outcomes.includes('queued') ? 202 : 200;
}

function outcomeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'outcome' in value ? value.outcome : undefined;
}

/** A malformed id is answered like an unknown one: nothing can have it. */
function readPath(route: Route, names: readonly string[], request: Request): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of names) {
    const value = String(request.params[name]);
    if (route.request.shape[name]?.safeParse(value).success === false) {
      throw new SvcError('NOT_FOUND', 'There is no memory with this id.');
    }
    fields[name] = value;
  }
  return fields;
}
