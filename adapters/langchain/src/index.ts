export type { AgentMemory, MemoryOptions, MemoryWarning } from '@svc-memory/core/adapter';
export { AgentMemoryChatHistory, type AgentMemoryChatHistoryInput } from './chat-history.ts';
export { type MemoryTools, memoryTools } from './memory-tools.ts';
export { type AgentMemoryMiddlewareOptions, agentMemoryMiddleware } from './middleware.ts';
export {
  type AgentMemoryMetadata,
  AgentMemoryRetriever,
  type AgentMemoryRetrieverInput,
} from './retriever.ts';
export { AgentMemoryStore } from './store.ts';
