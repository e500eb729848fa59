import { connect } from '@svc-memory/core/client';
import { type AgentMemory, type CallOptions, type OperationName, routes } from '@svc-memory/core/contract';
import type { Credentials } from './credentials.ts';

/**
 * The memory of a service that is looked for with every call: it may be started, or its key be replaced, while this
 * server runs. Nothing is sent before the first call.
 *
 * @param find Throws `SvcError` where there are no usable credentials; the call fails with that.
 */
export function remoteMemory(find: () => Promise<Credentials>): AgentMemory {
  let current: { readonly credentials: Credentials; readonly memory: AgentMemory } | undefined;
  const open = async (): Promise<AgentMemory> => {
    const credentials = await find();
    const same = current?.credentials;
    if (!current || same?.url !== credentials.url || same.apiKey !== credentials.apiKey) {
      current = { credentials, memory: connect(credentials) };
    }
    return current.memory;
  };
  const method = (name: OperationName) => async (input: unknown, options?: CallOptions) => {
    const memory = await open();
    // The table pairs every operation with its own input and output, which an indexed access cannot express.
    return (memory[name] as (input: unknown, options?: CallOptions) => Promise<unknown>)(input, options);
  };
  const names = Object.keys(routes) as OperationName[];
  return Object.fromEntries(names.map((name) => [name, method(name)])) as unknown as AgentMemory;
}
