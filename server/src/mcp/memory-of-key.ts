import type { Engine } from '@svc-memory/core';
import { type AgentMemory, type CallOptions, type OperationName, routes } from '@svc-memory/core/contract';
import { actorOf, type Caller, requireAccess } from '../access/credential.ts';

/** The memory an API key opens, with what the key may not do refused as over REST. */
export function memoryOfKey(engine: Engine, caller: Extract<Caller, { kind: 'key' }>): AgentMemory {
  const memory = engine.agent(caller.tenantId, actorOf(caller));
  const method = (name: OperationName) => async (input: unknown, options?: CallOptions) => {
    requireAccess(routes[name].access, caller);
    // The table pairs every operation with its own input and output, which an indexed access cannot express.
    return (memory[name] as (input: unknown, options?: CallOptions) => Promise<unknown>)(input, options);
  };
  const names = Object.keys(routes) as OperationName[];
  return Object.fromEntries(names.map((name) => [name, method(name)])) as unknown as AgentMemory;
}
