import type { AgentMemory, CallOptions, OperationName } from '../contract/index.ts';
import { routes } from '../contract/index.ts';

type Run = (name: OperationName, input: unknown, options: CallOptions) => Promise<unknown>;

/** Makes a method of each operation when it is asked for: a call uses one of them, and there are many. */
class Agent {
  readonly run: Run;

  constructor(run: Run) {
    this.run = run;
  }
}

for (const name of Object.keys(routes) as OperationName[]) {
  Object.defineProperty(Agent.prototype, name, {
    enumerable: true,
    get(this: Agent) {
      return (input: unknown = {}, options: CallOptions = {}) => this.run(name, input, options);
    },
  });
}

/** The operations of the contract as methods, each of which may be passed on alone. */
export function createAgent(run: Run): AgentMemory {
  // The table pairs every operation with its own input, which a loop over it cannot express.
  return new Agent(run) as unknown as AgentMemory;
}
