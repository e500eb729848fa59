export type {
  AgentMemory,
  MemoryInjection,
  MemoryOptions,
  MemoryWarning,
  PlainOptions,
} from '@svc-memory/core/adapter';
export { memoryOfUser } from '@svc-memory/core/adapter';
export { AgentMemoryChatHistory, type AgentMemoryChatHistoryInput } from './chat-history.ts';
export { memoryFileTool } from './memory-file-tool.ts';
export { type MemoryTools, memoryTools } from './memory-tools.ts';
export { type AgentMemoryMiddlewareOptions, agentMemoryMiddleware } from './middleware.ts';
export { recallFor, remember } from './plain.ts';
export {
  type AgentMemoryMetadata,
  AgentMemoryRetriever,
  type AgentMemoryRetrieverInput,
} from './retriever.ts';
export { AgentMemoryStore } from './store.ts';
