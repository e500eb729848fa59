import type { LoggingLevel } from '@modelcontextprotocol/server';
import type { AgentMemory } from '@svc-memory/core/contract';

type Newest = Awaited<ReturnType<AgentMemory['query']>>['memories'];

/** What a client has said before, or what was found for it: of one connection on stdio, of one credential over HTTP. */
export interface ClientState {
  /** The least severe messages that a client of 2025 asked for; undefined: none. Newer clients say it with each request. */
  logLevel?: LoggingLevel;
  /** What arguments are completed from, and when it was read. */
  completions?: { readonly readAt: number; readonly memories: Newest };
}
