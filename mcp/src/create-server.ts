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
import type { ToolSelection } from './tool-selection.ts';

/** What a server is made of. */
export interface McpServerOptions {
  /** Opens the memory that the tools work on, one agent's and no other's; asked with every call that needs it. */
  readonly memory: () => Promise<AgentMemory>;
  /** Version that clients are told. */
  readonly version: string;
  /** Which tools are offered; default: all, without the schemas of their answers. */
  readonly selection?: ToolSelection;
}

/**
 * An MCP server for one agent, to be connected to a transport: the `svc_*` tools, the resources `svc://boot` and
 * `svc://memory/{id}`, the prompts `boot` and `recover`.
 *
 * What a request needs is loaded with the first such request, so that starting costs next to nothing.
 */
export function createMcpServer({ memory, version, selection = {} }: McpServerOptions): Server {
  const server = new Server(
    { name: 'svc', title: 'Agent Memory Service', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: INSTRUCTIONS,
      // Only answers to questions of the server would be checked with it, and this server asks none.
      jsonSchemaValidator: { getValidator: refuseToValidate },
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () =>
    (await import('./tools.ts')).listMcpTools(selection),
  );
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) =>
    (await import('./tools.ts')).callMcpTool(await memory(), params, { selection, signal }),
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
