import type { Engine } from '@svc-memory/core';
import {
  type AgentMemory,
  type CallOptions,
  createMethods,
  routes,
  SvcError,
} from '@svc-memory/core/contract';
import type { ToolSelection } from '@svc-memory/mcp';
import { type RequestHandler, Router } from 'express';
import {
  actorOf,
  type Caller,
  type CredentialOptions,
  callerOf,
  requireCaller,
} from '../access/credential.ts';
import { refuseForeignOrigin } from '../access/same-origin.ts';
import type { BucketLimiter } from '../limits/bucket.ts';
import { readJsonBody } from '../request/body.ts';
import { serviceUrlOf } from '../request/service-url.ts';
import { limitCalls } from '../routing/api.ts';
import { allowOnly, answerOptions, noteRoute } from '../routing/fallbacks.ts';

export interface McpOptions {
  readonly engine: Engine;
  readonly version: string;
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
  /** Calls per API key, REST and MCP together. */
  readonly calls: BucketLimiter;
  readonly credentials: CredentialOptions;
}

const PATH = '/mcp';

/**
 * MCP over Streamable HTTP.
 *
 * There are no sessions: every request brings its API key and gets a server and a transport of its own. No session id
 * can be stolen or guessed, any process can answer, and clients do not notice a restart. There is no GET stream: the
 * server sends nothing unasked.
 */
export function createMcpRouter(options: McpOptions): Router {
  const router = Router({ caseSensitive: true });
  router
    .route(PATH)
    .all(
      noteRoute(PATH),
      answerOptions(['POST']),
      refuseForeignPages(options.credentials.publicUrl),
      requireCaller(options.credentials),
      limitCalls(options.calls),
      allowOnly(['POST']),
    )
    .post(answerMessage(options));
  return router;
}

function refuseForeignPages(publicUrl: string | undefined): RequestHandler {
  return (request, _response, next) => {
    refuseForeignOrigin(request, publicUrl);
    next();
  };
}

function answerMessage({ engine, version, bodyLimit, credentials }: McpOptions): RequestHandler {
  return async (request, response) => {
    const caller = callerOf(response);
    if (caller.kind !== 'key') throw new SvcError('UNAUTHORIZED', 'MCP takes an API key, not a sign-in.');
    const message = await readJsonBody(request, bodyLimit);
    // Only services that are asked by MCP load its code.
    const { answerHttp } = await import('@svc-memory/mcp');
    const serviceUrl = serviceUrlOf(request, credentials.publicUrl);
    const memory = memoryOfKey(engine, caller, serviceUrl === undefined ? {} : { serviceUrl });
    const selection = selectionOf(request.originalUrl);
    await answerHttp({ memory, version, selection, message, request, response });
  };
}

/** What the address says of the tools: `?tools=svc_boot,svc_recall&output_schemas=true`. */
function selectionOf(url: string): ToolSelection {
  const { searchParams } = new URL(url, 'http://localhost');
  return {
    tools: searchParams.get('tools') ?? undefined,
    outputSchemas: searchParams.get('output_schemas') ?? undefined,
  };
}

/** @param common Options of every call. */
function memoryOfKey(
  engine: Engine,
  caller: Extract<Caller, { kind: 'key' }>,
  common: CallOptions = {},
): AgentMemory {
  const { tenantId } = caller;
  const actor = actorOf(caller);
  return createMethods(routes, (name, input, options) =>
    engine.call(name, { tenantId, actor }, input, { ...common, ...options }),
  );
}
