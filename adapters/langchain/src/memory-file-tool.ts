import type { StructuredToolInterface } from '@langchain/core/tools';
import { type AgentMemory, describeFileTool, memoryFiles, requireOptions } from '@svc-memory/core/adapter';
import { checkedTool } from './checked-tool.ts';
import { memoryOfRun } from './middleware.ts';

/**
 * Memory as files below `/memories`, by the commands of Anthropic's memory tool: a tool named `memory` for any model. Its
 * `invoke` is also what Anthropic's own takes: `memory_20250818({ execute: (command) => memoryFileTool(memory).invoke(command) })`
 * of `@langchain/anthropic`, for a memory of one user or none. In a run that has a `user_id`, as the middleware reads it, the files
 * are that user's alone. What fails is answered as the text that the tool's documentation gives for it.
 */
export function memoryFileTool(memory: AgentMemory): StructuredToolInterface {
  requireOptions('memoryFileTool', { memory });
  return checkedTool(describeFileTool(), (command, config) =>
    memoryFiles(memoryOfRun(memory, config)).run(command, { signal: config.signal }),
  );
}
