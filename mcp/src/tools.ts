import type { CallToolRequest, CallToolResult, ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { type AgentMemory, SvcError } from '@svc-memory/core/contract';
import { callTool, describeTools, findTool, toToolError } from '@svc-memory/core/tools';

/** The answer to `tools/list`. */
export function listTools(): ListToolsResult {
  return {
    tools: describeTools().map(({ input_schema, output_schema, ...tool }) => ({
      ...tool,
      inputSchema: { ...input_schema, type: 'object' as const },
      outputSchema: { ...output_schema, type: 'object' as const },
    })),
  };
}

/** The answer to `tools/call`. A tool that does not exist is a mistake of the model like any other. */
export async function call(
  memory: AgentMemory,
  { name, arguments: args }: CallToolRequest['params'],
  signal: AbortSignal,
): Promise<CallToolResult> {
  const tool = findTool(name);
  const unknown = () =>
    new SvcError('NOT_FOUND', `There is no tool ${JSON.stringify(name)}; svc_help lists all.`);
  const { code: _, ...result } = tool
    ? await callTool(tool, memory, args, { signal })
    : toToolError(unknown());
  return { ...result, content: [...result.content] };
}
