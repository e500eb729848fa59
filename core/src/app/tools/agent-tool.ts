import { SvcError } from '../../kernel/contract/errors.ts';
import type { AgentMemory, CallOptions } from '../contract.ts';
import { callTool, findTool, type ToolResult, toToolError } from './call-tool.ts';
import { describeTools } from './describe.ts';

/** Tools an agent needs to use its memory on purpose; the injections speak of them. */
export const DEFAULT_TOOLS = ['svc_remember', 'svc_recall', 'svc_recall_exact', 'svc_forget'] as const;

/** What a tool answers, as one text. */
export function textOfResult({ content }: Pick<ToolResult, 'content'>): string {
  return content.map((part) => part.text).join('\n');
}

/** A tool as a program gives it to its own model. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly input_schema: Readonly<Record<string, unknown>>;
  /** Runs it on a memory. Whatever goes wrong is an answer that names the argument and the fix; only an aborted `signal` throws. */
  call(memory: AgentMemory, args: unknown, options?: CallOptions): Promise<ToolResult>;
}

/**
 * A tool of the service for the model of a program. Whose memory it works on the program decides, by the memory it gives: a model,
 * which can be talked into things, has no argument `user_id`.
 *
 * @throws RangeError for a name that no tool has
 */
export function agentTool(name: string): AgentTool {
  const tool = findTool(name);
  const described = describeTools().find((description) => description.name === name);
  if (!tool || !described) throw new RangeError(`there is no tool ${name}; see GET /tools for their names`);
  const { user_id: _, ...properties } = Object(described.input_schema.properties);
  return {
    name,
    description: described.description,
    input_schema: { ...described.input_schema, properties },
    call: async (memory, args, options) =>
      Object(args).user_id === undefined
        ? callTool(tool, memory, args, options)
        : toToolError(
            new SvcError('VALIDATION_ERROR', 'user_id: the program decides on this; leave it out.'),
            tool,
          ),
  };
}
