import { ToolMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { type AgentMemory, requireOptions } from '@svc-memory/core/adapter';
import { agentTool, DEFAULT_TOOLS, textOfResult } from '@svc-memory/core/tools';
import { checkedTool } from './checked-tool.ts';
import { memoryOfRun } from './middleware.ts';

/** One tool for each name: `createAgent` cannot infer its types from a list of unknown length beside other tools. */
export type MemoryTools<Names extends readonly string[]> = {
  -readonly [Place in keyof Names]: StructuredToolInterface;
};

/**
 * The service's tools for an agent, by their names; each runs on this memory and answers text that holds what is stored
 * as data. What fails is a tool message of status `error` that names the argument and the fix. In a run that has a `user_id`, as
 * the middleware reads it, they work on what is that user's, and see the agent's own.
 *
 * @param names which of the `svc_*` tools; default `svc_remember`, `svc_recall`, `svc_recall_exact` and `svc_forget`
 * @throws RangeError for a name that no tool has
 */
export function memoryTools<const Names extends readonly string[] = typeof DEFAULT_TOOLS>(
  memory: AgentMemory,
  names?: Names,
): MemoryTools<Names> {
  requireOptions('memoryTools', { memory });
  const wanted: readonly string[] = names ?? DEFAULT_TOOLS;
  // As many as names, which a map over a tuple cannot express.
  return wanted.map((name) => toTool(memory, name)) as MemoryTools<Names>;
}

function toTool(memory: AgentMemory, name: string): StructuredToolInterface {
  const described = agentTool(name);
  return checkedTool(described, async (input, config) => {
    const { signal, toolCall } = config;
    const own = memoryOfRun(memory, config);
    const result = await described.call(own, input, { signal });
    const text = textOfResult(result);
    if (!result.isError) return text;
    if (toolCall?.id === undefined) throw new Error(text);
    return new ToolMessage({ content: text, name, tool_call_id: toolCall.id, status: 'error' });
  });
}
