import type { CallToolRequest, CallToolResult, ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { type AgentMemory, SvcError } from '@svc-memory/core/contract';
import { callTool, describeTools, toToolError } from '@svc-memory/core/tools';
import { selectTools, type ToolSelection, wantsOutputSchemas } from './tool-selection.ts';

/** The answer to `tools/list`. */
export function listMcpTools(selection: ToolSelection): ListToolsResult {
  const names = new Set<string>(selectTools(selection).map(({ name }) => name));
  const withOutput = wantsOutputSchemas(selection);
  const listed = describeTools().filter(({ name }) => names.has(name));
  return {
    tools: listed.map(({ input_schema, output_schema, ...tool }) => ({
      ...tool,
      inputSchema: { ...input_schema, type: 'object' as const },
      ...(withOutput && { outputSchema: { ...output_schema, type: 'object' as const } }),
    })),
  };
}

/** The answer to `tools/call`. A tool that does not exist is a mistake of the model like any other. */
export async function callMcpTool(
  memory: AgentMemory,
  { name, arguments: args }: CallToolRequest['params'],
  { selection, signal }: { selection: ToolSelection; signal: AbortSignal },
): Promise<CallToolResult> {
  const offered = selectTools(selection);
  const tool = offered.find((one) => one.name === name);
  const names = selection.tools
    ? `there are ${offered.map((one) => one.name).join(', ')}`
    : 'svc_help lists all';
  const unknown = () => new SvcError('NOT_FOUND', `There is no tool ${JSON.stringify(name)}; ${names}.`);
  const { code: _, ...result } = tool
    ? await callTool(tool, memory, args, { signal })
    : toToolError(unknown());
  return { ...result, content: [...result.content] };
}
