import { connect } from '@svc-memory/core/client';
import {
  type AgentMemory,
  type CallOptions,
  createMethods,
  routes,
  SvcError,
} from '@svc-memory/core/contract';
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
      current = { credentials, memory: connectBy(credentials) };
    }
    return current.memory;
  };
  return createMethods(routes, async (name, input, options) => {
    const memory = await open();
    // The table pairs every operation with its own input and output, which an indexed access cannot express.
    return (memory[name] as (input: unknown, options?: CallOptions) => Promise<object>)(input, options);
  });
}

/** What sets each option, and how a wrong one is told: the arguments of a tool have nothing to do with it. */
const SETTINGS: Readonly<Record<string, readonly [variable: string, code: 'UNAVAILABLE' | 'UNAUTHORIZED']>> =
  {
    url: ['SVC_API_URL', 'UNAVAILABLE'],
    apiKey: ['SVC_API_KEY', 'UNAUTHORIZED'],
  };

/** @throws SvcError that names the variable that is wrong. */
function connectBy({ apiUrl: url, apiKey }: Credentials): AgentMemory {
  try {
    return connect({ url, apiKey });
  } catch (error) {
    const [issue] = error instanceof SvcError && Array.isArray(error.details) ? error.details : [];
    const [variable, code] = SETTINGS[issue?.path ?? ''] ?? [];
    if (!issue || !variable || !code) throw error;
    throw new SvcError(code, `${variable} ${issue.message}.`);
  }
}
