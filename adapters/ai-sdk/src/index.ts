export type {
  AgentMemory,
  MemoryInjection,
  MemoryOptions,
  MemoryWarning,
  PlainOptions,
} from '@svc-memory/core/adapter';
export { memoryOfUser } from '@svc-memory/core/adapter';
export { type CompactOptions, compactMessages } from './compact-messages.ts';
export { memoryFileTool } from './memory-file-tool.ts';
export { type MemoryTool, memoryTools } from './memory-tools.ts';
export type { Message, MessagePart } from './messages.ts';
export { type MemoryMiddleware, type MiddlewareOptions, memoryMiddleware } from './middleware.ts';
export { recallFor, remember } from './plain.ts';
export type { TokenCounter } from './tokens.ts';
export { withMemory } from './with-memory.ts';
