import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { AgentMemory } from '@svc-memory/core/contract';
import { createMcpServer } from '@svc-memory/mcp';

/** One message of a client. */
interface McpCall {
  readonly memory: AgentMemory;
  readonly version: string;
  /** The body, parsed. */
  readonly message: unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers one message by a server and a transport of its own. */
export async function answerMcp({ memory, version, message, request, response }: McpCall): Promise<void> {
  const server = createMcpServer({ memory: async () => memory, version });
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, message);
}
