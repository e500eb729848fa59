import { type StructuredToolInterface, type ToolRunnableConfig, tool } from '@langchain/core/tools';
import { type AgentMemory, describeFileTool, memoryFiles } from '@svc-memory/core/adapter';

/**
 * Memory as files below `/memories`, by the commands of Anthropic's memory tool: a tool named `memory` for any model. Its
 * `invoke` is also what Anthropic's own takes: `memory_20250818({ execute: (command) => memoryFileTool(memory).invoke(command) })`
 * of `@langchain/anthropic`. What fails is answered as the text that the tool's documentation gives for it.
 */
export function memoryFileTool(memory: AgentMemory): StructuredToolInterface {
  const files = memoryFiles(memory);
  const { name, description, input_schema } = describeFileTool();
  return tool((command, { signal }: ToolRunnableConfig) => files.run(command, signal ? { signal } : {}), {
    name,
    description,
    schema: input_schema,
  });
}
