import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { AgentMemory } from '@svc-memory/core/contract';
import { createMcpServer } from './create-server.ts';
import type { ToolSelection } from './tool-selection.ts';

/** One message of a client over Streamable HTTP. */
export interface HttpMessage {
  readonly memory: AgentMemory;
  /** Version that clients are told. */
  readonly version: string;
  readonly selection: ToolSelection;
  /** The body, parsed. */
  readonly message: unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers one message by a server and a transport of its own. */
export async function answerHttp(call: HttpMessage): Promise<void> {
  const { memory, version, selection, message, request, response } = call;
  const server = createMcpServer({ memory: async () => memory, version, selection });
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, message);
}
