import type { AgentMemory, CallOptions, Route } from '../app/contract.ts';
import { routes } from '../app/contract.ts';
import { createMethods } from '../kernel/contract/route.ts';
import { readAnswer } from './answer.ts';
import { type Connection, type ConnectOptions, toConnection } from './options.ts';
import { markRemote } from './remote.ts';
import { buildRequest } from './request.ts';
import { send } from './send.ts';

export type { ConnectOptions } from './options.ts';

/**
 * Connects to the service over REST: the same interface as `engine.agent()`, built from the table of routes.
 *
 * Needs nothing but `fetch`, so it runs in Node 20, browsers and edge runtimes. No request is sent until a method is
 * called. Every method throws `SvcError`: the service's own code and message, or `UNAVAILABLE` where no answer came;
 * only an aborted `signal` throws its own reason.
 *
 * Calls are repeated after a failure only where that is safe: reads always, writes under an `Idempotency-Key` (made
 * up unless given), and what makes a secret, which the service keeps no answer of, only when it cannot have been carried out.
 *
 * @throws SvcError `VALIDATION_ERROR` that names a wrong option.
 */
export function connect(options: ConnectOptions): AgentMemory {
  const connection = toConnection(options);
  return markRemote(
    createMethods(routes, (name, input, callOptions) => call(connection, routes[name], input, callOptions)),
  );
}

async function call(
  connection: Connection,
  route: Route,
  input: unknown = {},
  options: CallOptions = {},
): Promise<object> {
  options.signal?.throwIfAborted();
  const request = buildRequest(connection, route, input, options);
  return send(connection, request, (response) => readAnswer(connection, response), options.signal);
}
