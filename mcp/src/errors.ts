import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { toToolError } from '@svc-memory/core/tools';

/** An error for requests whose answers have no place for one: resources and prompts. */
export function toMcpError(thrown: unknown, notFound: number): McpError {
  if (thrown instanceof McpError) return thrown;
  const { code, content } = toToolError(thrown);
  const text = content.map((part) => part.text).join('\n');
  if (code === 'NOT_FOUND') return new McpError(notFound, text);
  return new McpError(code === 'VALIDATION_ERROR' ? ErrorCode.InvalidParams : ErrorCode.InternalError, text);
}
