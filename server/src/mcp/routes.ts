import type { Engine } from '@svc-memory/core';
import {
  type AgentMemory,
  type CallOptions,
  createMethods,
  routes,
  SvcError,
} from '@svc-memory/core/contract';
import type { ClientState, ToolSelection } from '@svc-memory/mcp';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import {
  actorOf,
  type Caller,
  type CredentialOptions,
  callerOf,
  isStillAllowed,
} from '../access/credential.ts';
import { limitCalls } from '../access/limit-calls.ts';
import { refuseForeignOrigin } from '../access/same-origin.ts';
import { whenClosed } from '../answers/when-closed.ts';
import { requireMcpCaller } from '../authorization/caller.ts';
import type { BucketLimiter } from '../limits/bucket.ts';
import { createPlaces } from '../limits/places.ts';
import { readJsonValue } from '../request/body.ts';
import { searchParamsOf } from '../request/query.ts';
import { serviceUrlOf } from '../request/service-url.ts';
import { allowOnly, answerOptions, noteRoute } from '../routing/fallbacks.ts';

export interface McpOptions {
  readonly engine: Engine;
  readonly version: string;
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
  /** Calls per API key, REST and MCP together. */
  readonly calls: BucketLimiter;
  readonly credentials: CredentialOptions;
  /** Ends the streams by which clients are told of changes; default: they end with their clients. */
  readonly stopping?: AbortSignal | undefined;
}

const PATH = '/mcp';

/** Streams by which clients are told of changes: each costs a look at the database every few seconds. */
const LISTENERS = { perAgent: 10, perAccount: 40, total: 200 };

/**
 * MCP over Streamable HTTP.
 *
 * There are no sessions: every request brings its API key and gets a server and a transport of its own. No session id
 * can be stolen or guessed, any process can answer, and clients do not notice a restart. There is no GET stream: what
 * changes is told to who listens for it, by the revision 2026-07-28.
 */
export function createMcpRouter(options: McpOptions): Router {
  const router = Router({ caseSensitive: true });
  const identify = requireMcpCaller(options.credentials);
  router
    .route(PATH)
    .all(
      noteRoute(PATH),
      answerOptions(['POST']),
      refuseForeignPages(options.credentials.publicUrl),
      identify,
      limitCalls(options.calls),
      allowOnly(['POST']),
    )
    .post(answerMessage(options, identify));
  return router;
}

function refuseForeignPages(publicUrl: string | undefined): RequestHandler {
  return (request, _response, next) => {
    refuseForeignOrigin(request, publicUrl);
    next();
  };
}

function answerMessage(
  { engine, version, bodyLimit, credentials, stopping }: McpOptions,
  identify: RequestHandler,
): RequestHandler {
  const states = createClientStates();
  const takePlace = createPlaces(engine, LISTENERS);
  const listening = new Set<Response>();
  stopping?.addEventListener('abort', () => {
    for (const response of listening) response.destroy();
  });
  return async (request, response) => {
    const caller = callerOf(response);
    if (caller.kind !== 'key')
      throw new SvcError('UNAUTHORIZED', 'MCP takes an API key or an access token, not a sign-in.');
    const message = await messageOf(request, response, bodyLimit);
    if (!message) return;
    // Only services that are asked by MCP load its code.
    const { answerHttp } = await import('@svc-memory/mcp');
    const serviceUrl = serviceUrlOf(request, credentials.publicUrl);
    const memory = memoryOfKey(engine, caller, { serviceUrl });
    const selection = selectionOf(request.originalUrl);
    if (message.method === 'subscriptions/listen') {
      await takePlace(caller.tenantId, response, 'Too many clients listen for changes already; close one.');
      // Nothing is awaited between this and the note of who listens: whoever came between would never be told.
      if (stopping?.aborted)
        throw new SvcError('UNAVAILABLE', 'The service is stopping; listen again shortly.');
      listening.add(response);
      whenClosed(response, () => listening.delete(response));
    }
    await answerHttp({
      ...{ memory, version, selection, message, request, response },
      state: states(caller.credentialId),
      isAllowed: () => isStillAllowed(request, response, { identify, tenantId: caller.tenantId }),
    });
  };
}

/** JSON-RPC's codes of what is no JSON, and of JSON that is no message. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Reads a message. What is none is answered as JSON-RPC has it: undefined. */
async function messageOf(
  request: Request,
  response: Response,
  bodyLimit: number,
): Promise<Record<string, unknown> | undefined> {
  const refuse = (code: number, message: string, id: string | number | null = null) => {
    response.locals.errorCode = 'VALIDATION_ERROR';
    response.status(400).json({ jsonrpc: '2.0', error: { code, message }, id });
    return undefined;
  };
  try {
    const value = await readJsonValue(request, bodyLimit);
    const { readMessage } = await import('@svc-memory/mcp');
    const read = readMessage(value, 'body');
    return 'message' in read
      ? (value as Record<string, unknown>)
      : refuse(read.code ?? INVALID_REQUEST, read.problem, read.id);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'VALIDATION_ERROR') throw error;
    return refuse(PARSE_ERROR, error.message);
  }
}

const MAX_STATES = 1_000;

/** What the clients of each credential said before; of many credentials the oldest are forgotten. */
function createClientStates(): (credentialId: string) => ClientState {
  const states = new Map<string, ClientState>();
  return (credentialId) => {
    const state = states.get(credentialId) ?? {};
    states.delete(credentialId);
    states.set(credentialId, state);
    for (const oldest of states.keys()) {
      if (states.size <= MAX_STATES) break;
      states.delete(oldest);
    }
    return state;
  };
}

/** What the address says of the tools: `?tools=svc_boot,svc_recall&output_schemas=true`. */
function selectionOf(url: string): ToolSelection {
  const searchParams = searchParamsOf(url);
  return {
    tools: searchParams.get('tools') ?? undefined,
    outputSchemas: searchParams.get('output_schemas') ?? undefined,
  };
}

/** @param common Options of every call. */
function memoryOfKey(
  engine: Engine,
  caller: Extract<Caller, { kind: 'key' }>,
  common: CallOptions,
): AgentMemory {
  const { tenantId } = caller;
  const actor = actorOf(caller);
  return createMethods(routes, (name, input, options) =>
    engine.call(name, { tenantId, actor }, input, { ...common, ...options }),
  );
}
