import { connect } from '@svc-memory/core/client';
import { type AgentMemory, type CallOptions, createMethods, routes } from '@svc-memory/core/contract';
import type { Credentials } from '@svc-memory/hooks/credentials';

/**
 * The memory of a service that is looked for with every call: it may be started, or its key be replaced, while this
 * server runs. Nothing is sent before the first call.
 *
 * @param find Throws `SvcError` where there are no usable credentials; the call fails with that.
 */
export function remoteMemory(find: () => Credentials): AgentMemory {
  let current: { readonly credentials: Credentials; readonly memory: AgentMemory } | undefined;
  const open = async (): Promise<AgentMemory> => {
    const credentials = find();
    const same = current?.credentials;
    if (!current || same?.apiUrl !== credentials.apiUrl || same.apiKey !== credentials.apiKey) {
      const { apiUrl: url, apiKey } = credentials;
      current = { credentials, memory: connect({ url, apiKey }) };
    }
    return current.memory;
  };
  return createMethods(routes, async (name, input, options) => {
    const memory = await open();
    // The table pairs every operation with its own input and output, which an indexed access cannot express.
    return (memory[name] as (input: unknown, options?: CallOptions) => Promise<object>)(input, options);
  });
}
