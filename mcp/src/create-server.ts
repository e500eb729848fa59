import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { AgentMemory } from '@svc-memory/core/contract';
import { INSTRUCTIONS } from './instructions.ts';

/** What a server is made of. */
export interface McpServerOptions {
  /** Opens the memory that the tools work on, one agent's and no other's; asked with every call that needs it. */
  readonly memory: () => Promise<AgentMemory>;
  /** Version that clients are told. */
  readonly version: string;
}

/**
 * An MCP server for one agent, to be connected to a transport: the `svc_*` tools, the resources `svc://boot` and
 * `svc://memory/{id}`, the prompts `boot` and `recover`. Design 6.
 *
 * What a request needs is loaded with the first such request, so that starting costs next to nothing.
 */
export function createMcpServer({ memory, version }: McpServerOptions): Server {
  const server = new Server(
    { name: 'svc', title: 'Agent Memory Service', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: INSTRUCTIONS,
      // Only answers to questions of the server would be checked with it, and this server asks none.
      jsonSchemaValidator: { getValidator: refuseToValidate },
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => (await import('./tools.ts')).listTools());
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) =>
    (await import('./tools.ts')).call(await memory(), params, signal),
  );
  server.setRequestHandler(ListResourcesRequestSchema, async () =>
    (await import('./resources.ts')).listResources(),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () =>
    (await import('./resources.ts')).listTemplates(),
  );
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, { signal }) =>
    (await import('./resources.ts')).readResource(await memory(), params.uri, signal),
  );
  server.setRequestHandler(ListPromptsRequestSchema, async () =>
    (await import('./prompts.ts')).listPrompts(),
  );
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }, { signal }) =>
    (await import('./prompts.ts')).getPrompt(await memory(), params, signal),
  );
  return server;
}

function refuseToValidate(): never {
  throw new TypeError('this server asks nothing of its clients');
}
