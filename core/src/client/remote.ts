import type { AgentMemory } from '../app/contract.ts';

const remote = new WeakSet<AgentMemory>();

/** Notes that the calls of a memory go to a service, which may hang. */
export function markRemote(memory: AgentMemory): AgentMemory {
  remote.add(memory);
  return memory;
}

/** Whether the calls of a memory go to a service. Others are answered in this process. */
export function isRemote(memory: AgentMemory): boolean {
  return remote.has(memory);
}
