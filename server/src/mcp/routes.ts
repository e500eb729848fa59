import type { Engine } from '@svc-memory/core';
import { SvcError } from '@svc-memory/core/contract';
import { type RequestHandler, Router } from 'express';
import { type CredentialOptions, callerOf, requireCaller } from '../access/credential.ts';
import { refuseForeignOrigin } from '../access/same-origin.ts';
import type { BucketLimiter } from '../limits/bucket.ts';
import { readJsonBody } from '../request/body.ts';
import { limitCalls } from '../routing/api.ts';
import { allowOnly, answerOptions, noteRoute } from '../routing/fallbacks.ts';
import { memoryOfKey } from './memory-of-key.ts';

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
 * MCP over Streamable HTTP. Design 6; threats 10.
 *
 * There are no sessions: every request brings its API key, gets a server and a transport of its own, and leaves nothing
 * behind. So no id of a session can be stolen or guessed, any process of a cluster can answer, and a restart is not
 * noticed. The server has nothing to send unasked, so that there is no GET stream either.
 */
export function mcpRoutes(options: McpOptions): Router {
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

function answerMessage({ engine, version, bodyLimit }: McpOptions): RequestHandler {
  return async (request, response) => {
    const caller = callerOf(response);
    if (caller.kind !== 'key') throw new SvcError('UNAUTHORIZED', 'MCP takes an API key, not a sign-in.');
    const message = await readJsonBody(request, bodyLimit);
    // Only services that are asked by MCP load its code.
    const { answerMcp } = await import('./answer.ts');
    await answerMcp({ memory: memoryOfKey(engine, caller), version, message, request, response });
  };
}
