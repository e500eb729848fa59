import type { LoggingLevel } from '@modelcontextprotocol/server';
import type { AgentMemory } from '@svc-memory/core/contract';

type Newest = Awaited<ReturnType<AgentMemory['query']>>['memories'][number];

/** What a client has said before, or what was found for it: of one connection on stdio, of one credential over HTTP. */
export interface ClientState {
  /** The least severe messages that a client of 2025 asked for; undefined: none. Newer clients say it with each request. */
  logLevel?: LoggingLevel;
  /** What arguments are completed from, of the newest memories, for as long as it is fresh. */
  completions?: readonly Pick<Newest, 'id' | 'tags' | 'key'>[];
}
