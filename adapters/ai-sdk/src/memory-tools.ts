import { type AgentMemory, requireOptions } from '@svc-memory/core/adapter';
import { agentTool, DEFAULT_TOOLS, textOfResult } from '@svc-memory/core/tools';
import { jsonSchema } from 'ai';

/** A tool for `tools` of `generateText`, `streamText` and agents. */
export interface MemoryTool {
  readonly description: string;
  readonly inputSchema: ReturnType<typeof jsonSchema<Record<string, unknown>>>;
  readonly execute: (
    input: Record<string, unknown>,
    options: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<string>;
}

/**
 * The service's tools for a model, by their names; each runs on this memory and answers text that holds what is stored
 * as data. What fails is a tool error that names the argument and the fix.
 *
 * @param names which of the `svc_*` tools; default `svc_remember`, `svc_recall`, `svc_recall_exact` and `svc_forget`
 * @throws RangeError for a name that no tool has
 */
export function memoryTools<const Name extends string = (typeof DEFAULT_TOOLS)[number]>(
  memory: AgentMemory,
  names?: readonly Name[],
): Record<Name, MemoryTool> {
  requireOptions('memoryTools', { memory });
  const wanted: readonly string[] = names ?? DEFAULT_TOOLS;
  const entries = wanted.map((name) => [name, toTool(memory, name)] as const);
  // The keys are the names asked for, which `fromEntries` cannot express.
  return Object.fromEntries(entries) as Record<Name, MemoryTool>;
}

function toTool(memory: AgentMemory, name: string): MemoryTool {
  const { description, input_schema, call } = agentTool(name);
  return {
    description,
    // Not checked by the SDK: the tool does that itself, and says what to mend.
    inputSchema: jsonSchema<Record<string, unknown>>(input_schema),
    execute: async (input, { abortSignal }) => {
      const result = await call(memory, input, { signal: abortSignal });
      const text = textOfResult(result);
      if (result.isError) throw new Error(text);
      return text;
    },
  };
}
