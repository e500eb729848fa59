import type { AgentMemory } from '../contract/index.ts';

/** What every adapter of a framework takes. */
export interface MemoryOptions {
  /** The agent's memory: `engine.agent(...)` or `connect(...)`. Give the same object to all functions of an adapter. */
  readonly memory: AgentMemory;
  /** Your id of the conversation; ties its turns together. One conversation per `memory` is assumed without it. */
  readonly sessionId?: string | undefined;
  /** Most milliseconds to wait for one answer of the memory service, then the call goes on without; default 5,000. */
  readonly timeoutMs?: number;
  /** Told when the memory service could not be used; default: the first time, `console.warn`. */
  readonly onWarning?: (warning: MemoryWarning) => void;
}

/** Something that was not done because the memory service could not be used. The model call went on without it. */
export interface MemoryWarning {
  readonly message: string;
  /** Why; an `SvcError` where the service said so. */
  readonly cause?: unknown;
}
