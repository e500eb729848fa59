import type {
  CallToolRequest,
  CallToolResult,
  ListToolsResult,
  LoggingLevel,
  ServerContext,
} from '@modelcontextprotocol/server';
import { type AgentMemory, SvcError } from '@svc-memory/core/contract';
import {
  type AnyTool,
  callTool,
  describeTools,
  makeAnswerVisible,
  type ToolResult,
  toInertJson,
  toToolError,
} from '@svc-memory/core/tools';
import type { ClientState } from './client-state.ts';
import { reportJob, withTicks } from './progress.ts';
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

/** What clients are told while a call that may take long goes on. */
const LONG: Readonly<Record<string, string>> = {
  svc_export: 'Reading all memories',
  svc_sync_core: 'Storing',
  svc_sync_working: 'Storing',
};

/** The answer to `tools/call`. A tool that does not exist is a mistake of the model like any other. */
export async function callMcpTool(
  memory: AgentMemory,
  { name, arguments: args }: CallToolRequest['params'],
  { selection, context, state }: { selection: ToolSelection; context: ServerContext; state: ClientState },
): Promise<CallToolResult> {
  const offered = selectTools(selection);
  const tool = offered.find((one) => one.name === name);
  const names = selection.tools
    ? `there are ${offered.map((one) => one.name).join(', ')}`
    : 'svc_help lists all';
  const unknown = () => new SvcError('NOT_FOUND', `There is no tool ${JSON.stringify(name)}; ${names}.`);
  const began = Date.now();
  const { code, ...result } = tool ? await run(tool, memory, args, context) : toToolError(unknown());
  const failure = code === 'INTERNAL' || code === 'UNAVAILABLE' ? 'error' : 'warning';
  const facts = { tool: tool?.name ?? 'unknown', took_ms: Date.now() - began, ...(code ? { code } : {}) };
  await log(context, state, code ? failure : 'debug', facts);
  return { ...result, content: [...result.content] };
}

async function run(
  tool: AnyTool,
  memory: AgentMemory,
  args: unknown,
  context: ServerContext,
): Promise<ToolResult> {
  const { signal } = context.mcpReq;
  const work = () => callTool(tool, memory, args, { signal });
  const message = LONG[tool.name];
  if (message !== undefined) return withTicks(context, message, work);
  const result = await work();
  if (tool.name !== 'svc_reflect' || result.isError) return result;
  // It has begun, also where it cannot be followed.
  const followed = await followReflection(context, memory, result).catch(() => undefined);
  return followed ?? result;
}

/** A client that asked for the progress of a reflection gets its end, too. */
async function followReflection(
  context: ServerContext,
  memory: AgentMemory,
  { structuredContent = {} }: ToolResult,
): Promise<ToolResult | undefined> {
  const { id } = Object(structuredContent.job);
  const job = await reportJob(context, memory, id);
  if (!job) return undefined;
  const answer = { ...structuredContent, job };
  return {
    content: [{ type: 'text', text: toInertJson(answer) }],
    structuredContent: makeAnswerVisible(answer) as Record<string, unknown>,
  };
}

const LEVELS: readonly LoggingLevel[] = [
  ...(['debug', 'info', 'notice', 'warning'] as const),
  ...(['error', 'critical', 'alert', 'emergency'] as const),
];
const LOGGER = 'svc';

/**
 * Sends a message to the client's log if it asked for messages of this level: by `logging/setLevel`, or since 2026-07-28
 * with the request. No text of a memory is logged.
 */
async function log(
  { mcpReq }: ServerContext,
  { logLevel }: ClientState,
  level: LoggingLevel,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const isModern = mcpReq.envelope !== undefined;
  const asked = isModern || (logLevel !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf(logLevel));
  // The library looks into the envelope itself.
  if (asked) await mcpReq.log(level, data, LOGGER);
}
