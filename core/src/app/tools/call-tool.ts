import { type ErrorCode, SvcError } from '../../kernel/contract/errors.ts';
import { parseInput } from '../../kernel/contract/parse.ts';
import type { AnyTool } from '../../kernel/tools/tool.ts';
import { makeVisible, toInertJson } from '../../text/visible.ts';
import type { AgentMemory, CallOptions } from '../contract.ts';
import { tools } from './all.ts';

/** What a call of a tool came to, in the form of MCP's `CallToolResult`. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  /** Where `isError` is set. */
  readonly code?: ErrorCode;
}

/** What to do about an error, in words for who called a tool; the others are clear from their message. */
const FIXES: Readonly<Partial<Record<ErrorCode, string>>> = {
  VALIDATION_ERROR: 'Correct the named arguments and call the tool again.',
  UNAUTHORIZED:
    'Go on without memory for now, and ask your human to set SVC_API_KEY to a valid API key and to restart what you run in.',
  NOT_FOUND:
    'Check the id: svc_recall and svc_recall_exact show those of memories, action list those of items.',
  GUARDIAN_PROTECTED: 'Wait until the pending change is decided; there is nothing else to do now.',
  CONFLICT: 'Look at the current state, then decide again.',
  RATE_LIMITED: 'Wait, then call the tool again.',
  QUOTA_EXCEEDED: 'Boot, sync, forget and export still work; tell your human that the plan is used up.',
  INTERNAL: 'Try once more; if it fails again, tell your human.',
  UNAVAILABLE: 'Go on without memory for now, tell your human, and try again later.',
};

/** The tool of this name, such as `svc_recall`; undefined where there is none. */
export function findTool(name: string): AnyTool | undefined {
  return tools.find((tool) => tool.name === name);
}

/**
 * Calls a tool. Whatever goes wrong is an answer that names the argument and the fix; only an aborted `signal` throws.
 *
 * @param args The arguments as they came, unchecked.
 */
export async function callTool(
  tool: AnyTool,
  memory: AgentMemory,
  args: unknown,
  options: CallOptions = {},
): Promise<ToolResult> {
  try {
    parseInput(tool.input, args ?? {});
    // Checked just now; the operation behind it parses the same fields again, from what the caller sent.
    const answer = await tool.run(memory, (args ?? {}) as never, options);
    const text = tool.text ? tool.text(answer as never) : toInertJson(answer);
    return {
      content: [{ type: 'text', text }],
      structuredContent: makeAnswerVisible(answer) as Record<string, unknown>,
    };
  } catch (error) {
    options.signal?.throwIfAborted();
    return toToolError(error, tool);
  }
}

/** An error as the answer of a tool; without one, of a request for something else. */
export function toToolError(thrown: unknown, tool?: AnyTool): ToolResult {
  const error =
    thrown instanceof SvcError ? thrown : new SvcError('INTERNAL', 'Something went wrong on our side.');
  const { code, message, details, requestId } = error;
  const facts = details !== undefined && !Array.isArray(details) ? `\nDetails: ${toInertJson(details)}` : '';
  // Only a tool that takes an id can have got a wrong one.
  const hasFix = FIXES[code] !== undefined && (code !== 'NOT_FOUND' || (tool && 'id' in tool.input.shape));
  const fix = hasFix ? `\nFix: ${FIXES[code]}` : '';
  const quote = requestId === undefined ? '' : ` (request_id ${requestId})`;
  const text = `${code}: ${makeAnswerVisible(message)}${quote}${fix}${facts}`;
  return { content: [{ type: 'text', text }], isError: true, code };
}

/** An answer whose texts show by name what hides in them, for hosts that print structured results as they are. */
export function makeAnswerVisible(value: unknown): unknown {
  if (typeof value === 'string') return makeTextVisible(value);
  if (Array.isArray(value)) return value.map(makeAnswerVisible);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [makeTextVisible(name), makeAnswerVisible(part)]),
  );
}

function makeTextVisible(text: string): string {
  return text
    .split(/\r\n|[\n\u2028\u2029]/)
    .map(makeVisible)
    .join('\n');
}
