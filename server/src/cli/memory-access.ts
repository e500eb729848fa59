import type { AgentMemory } from '@svc-memory/core';
import type { CommandContext } from './context.ts';
import { reach } from './reach.ts';

/** How a command reached the memories. */
export interface Reached {
  /** Address of the running service; undefined when it is stopped and the database was opened directly. */
  readonly url: string | undefined;
}

/** Gives a command the agent's memory, wherever it is. */
export function withMemory<T>(
  context: CommandContext,
  work: (memory: AgentMemory, reached: Reached) => Promise<T>,
): Promise<T> {
  return reach(context, (reached) =>
    work(reached.memory, { url: reached.kind === 'service' ? reached.credentials.apiUrl : undefined }),
  );
}
