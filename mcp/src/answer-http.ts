import type { IncomingMessage, ServerResponse } from 'node:http';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  type ServerEvent,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { AgentMemory } from '@svc-memory/core/contract';
import type { ClientState } from './client-state.ts';
import { createMcpServer } from './create-server.ts';
import { listenedUris, listeningTo } from './followed-resources.ts';
import { ResourceWatch } from './resource-watch.ts';
import type { ToolSelection } from './tool-selection.ts';

/** One message of a client over Streamable HTTP. */
export interface HttpMessage {
  readonly memory: AgentMemory;
  /** Version that clients are told. */
  readonly version: string;
  readonly selection: ToolSelection;
  /** What this credential's client said before. */
  readonly state: ClientState;
  /** Checks the credential again, for what lasts. */
  readonly isAllowed: () => Promise<boolean>;
  /** The body, parsed. */
  readonly message: unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Answers one message by a server of its own, in the revision of MCP it is written in: 2026-07-28, whose messages carry
 * their revision with them, or one of 2025.
 */
export async function answerHttp(call: HttpMessage): Promise<void> {
  const { message, request, response } = call;
  // The client left while its message was read: nothing would end what is begun for it.
  if (response.closed) return;
  const changes = changesFor(call);
  const modern = createMcpHandler(() => serverOf(call, true), { legacy: 'reject', bus: changes.bus });
  response.once('close', () => void modern.close());
  const answer = toNodeHandler({
    fetch: async (asked, options) => {
      if (await isLegacyRequest(asked, message)) return answerLegacy(call, asked);
      // Whoever listens is answered once it is known how things are now.
      return modern.fetch(asked, { ...options, parsedBody: await changes.ready });
    },
  });
  // The library's type does not say that these fields may be undefined, as Node's does.
  await answer(request as NodeIncomingMessageLike, response, message);
}

function serverOf({ memory, version, selection, state }: HttpMessage, subscribe: boolean): Server {
  return createMcpServer({ memory: async () => memory, version, selection, state, subscribe });
}

/** Without a session there is no stream that could tell a client of 2025 of changes: to it, none are offered. */
async function answerLegacy(call: HttpMessage, asked: Request): Promise<Response> {
  const server = serverOf(call, false);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams(call) });
  call.response.once('close', () => void server.close());
  await server.connect(transport);
  return transport.handleRequest(asked, { parsedBody: call.message });
}

/** Whether more than the answer may have to be sent: progress, or what is logged. */
function streams({ message, state }: HttpMessage): boolean {
  const { method, params } = Object(message);
  const asksForProgress = Object(Object(params)._meta).progressToken !== undefined;
  return method === 'tools/call' && (asksForProgress || state.logLevel !== undefined);
}

/**
 * Tells the listener of this message, and nobody else, what changes of what it named. `ready` is the message to answer, with what
 * can be followed.
 */
function changesFor(call: HttpMessage): { readonly bus: ServerEventBus; readonly ready: Promise<unknown> } {
  const { memory, message, isAllowed, response } = call;
  let tell: (event: ServerEvent) => void = () => {};
  const watch = new ResourceWatch(
    async () => memory,
    (uri) => tell({ kind: 'resource_updated', uri }),
    {
      isAllowed: async () => {
        const allowed = await isAllowed();
        // The client learns why when it comes back.
        if (!allowed) response.destroy();
        return allowed;
      },
    },
  );
  response.once('close', () => watch.stop());
  const uris = listenedUris(message);
  const bus: ServerEventBus = {
    publish: () => {},
    subscribe: (listener) => {
      tell = listener;
      return () => watch.stop();
    },
  };
  if (uris.length === 0) return { bus, ready: Promise.resolve(message) };
  return { bus, ready: watch.follow(uris).then((followed) => listeningTo(message, followed)) };
}
