import { type AgentMemory, describeFileTool, memoryFiles } from '@svc-memory/core/adapter';
import { jsonSchema } from 'ai';
import type { MemoryTool } from './memory-tools.ts';

/**
 * Memory as files below `/memories`, by the commands of Anthropic's memory tool: for `tools` of any model as
 * `{ memory: memoryFileTool(memory) }`, and for Anthropic's own as
 * `anthropic.tools.memory_20250818({ execute: memoryFileTool(memory).execute })`. What fails is answered as the text that
 * the tool's documentation gives for it.
 */
export function memoryFileTool(memory: AgentMemory): MemoryTool {
  const files = memoryFiles(memory);
  const { description, input_schema } = describeFileTool();
  return {
    description,
    // Not checked by the SDK: the command does that itself, and says what to mend.
    inputSchema: jsonSchema<Record<string, unknown>>(input_schema),
    execute: (command, { abortSignal }) => files.run(command, { signal: abortSignal }),
  };
}
