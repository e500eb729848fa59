export type { ToolDescription } from '../../features/tools/contract.ts';
export { type AnyTool, defineTool, type Tool } from '../../kernel/tools/tool.ts';
export { toInertJson } from '../../text/visible.ts';
export { type AgentTool, agentTool, DEFAULT_TOOLS, textOfResult } from './agent-tool.ts';
export { tools } from './all.ts';
export { callTool, findTool, makeAnswerVisible, type ToolResult, toToolError } from './call-tool.ts';
export { describeTools } from './describe.ts';
