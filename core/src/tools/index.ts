export { tools } from './all.ts';
export { callTool, findTool, type ToolResult, toToolError } from './call-tool.ts';
export type { ToolDescription } from './contract.ts';
export { describeTools } from './describe.ts';
export { makeAnswerVisible, toInertJson } from './present.ts';
export { type AnyTool, defineTool, type Tool } from './tool.ts';
