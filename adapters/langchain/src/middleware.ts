import { AIMessage, type BaseMessage, SystemMessage } from '@langchain/core/messages';
import {
  type AgentMemory,
  handOver,
  type MemoryOptions,
  optionsOfUser,
  requireOptions,
  toUserId,
} from '@svc-memory/core/adapter';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { type Additions, threadOf } from './session.ts';

/** What `agentMemoryMiddleware` takes. `sessionId` and `userId` default to `thread_id` and `user_id` of the run's `configurable`. */
export interface AgentMemoryMiddlewareOptions extends MemoryOptions {
  /**
   * Takes over the promise of what is stored at the end of an invocation, as `waitUntil` of serverless platforms does;
   * the invocation then does not wait for it. It never rejects. Default: the invocation waits.
   */
  readonly waitUntil?: (storing: Promise<void>) => void;
}

/** What a run is for, as its `configurable` says; nobody checks its types. */
interface RunConfiguration {
  readonly thread_id?: unknown;
  readonly user_id?: unknown;
  readonly checkpoint_ns?: unknown;
}

/** The part of a runtime that is read here. */
interface Runtime {
  readonly configurable?: RunConfiguration;
}

/**
 * Gives an agent its memory; for `middleware` of `createAgent`, beside `summarizationMiddleware` in any order.
 *
 * The boot injection is added to the system message of every model call. When the messages are summarised, what was
 * replaced is kept and the recovery injection takes over. What is recalled for a message of the user, and stands nowhere
 * yet, is added behind it. New turns are kept at the end of an invocation, when it is aborted or left, and, without waiting, before
 * tools run, where a graph may be interrupted. Nothing else of the agent's state, its calls or
 * their answers is changed. Where the memory service fails, a warning is given and the agent goes on.
 */
export function agentMemoryMiddleware(options: AgentMemoryMiddlewareOptions): AgentMiddleware {
  requireOptions('agentMemoryMiddleware', options);
  const runOf = ({ configurable }: Runtime) => {
    const sessionId = options.sessionId ?? textOf(configurable?.thread_id);
    const user = toUserId(options.userId, 'userId') ?? userOf(configurable);
    const own = optionsOfUser({ ...options, sessionId }, user);
    return { own, session: threadOf({ ...own, sessionId: placeOf(sessionId, configurable) }) };
  };
  const keep = (
    { own, session }: ReturnType<typeof runOf>,
    messages: readonly BaseMessage[],
  ): Promise<void> => {
    return handOver(options.waitUntil, session.keepAll(own, messages));
  };

  return createMiddleware({
    name: 'AgentMemory',
    beforeAgent: ({ messages }, runtime) => {
      runOf(runtime).session.begin(messages);
    },
    wrapModelCall: async (request, handler) => {
      const { runtime, systemMessage } = request;
      // What other middleware shows the model for this call only, nobody has said.
      const { messages } = request.state;
      const run = runOf(runtime);
      const { own, session } = run;
      const added = await session.additionsTo({
        options: own,
        messages,
        shown: request.messages,
        signal: runtime.signal,
      });
      try {
        const answer = await handler({ ...request, ...withInjection(added, systemMessage) });
        const spoken = AIMessage.isInstance(answer) ? answer : undefined;
        const said = spoken ? [...messages, spoken] : messages;
        session.saw(said);
        // Before tools run the graph may be interrupted, and is told to nobody.
        if (spoken?.tool_calls?.length || runtime.signal?.aborted) void keep(run, said);
        else if (spoken) session.keepIfLeft(spoken, () => void keep(run, said));
        return answer;
      } catch (error) {
        if (runtime.signal?.aborted) void keep(run, messages);
        throw error;
      }
    },
    afterAgent: async ({ messages }, runtime) => {
      await keep(runOf(runtime), messages);
    },
  });
}

/**
 * The user that a run is for, by its configuration.
 *
 * @throws TypeError where that is no id
 */
function userOf(configurable: { readonly user_id?: unknown } | undefined): string | undefined {
  return toUserId(configurable?.user_id, 'user_id of configurable');
}

/** The memory that a tool works on in a run: that of the run's user, where it has one. */
export function memoryOfRun(
  memory: AgentMemory,
  configurable: { readonly user_id?: unknown } | undefined,
): AgentMemory {
  return optionsOfUser({ memory }, userOf(configurable)).memory;
}

/** An id of a conversation, which some give as a number. */
function textOf(id: unknown): string | undefined {
  return typeof id === 'string' ? id : typeof id === 'number' ? String(id) : undefined;
}

/**
 * Names what a model sees: the conversation, and within it the agent. One that a tool of another agent calls has messages of its own
 * in the same thread. Tasks have names and ids ("tools:<id>|model_request:<id>"); the last is the model's own.
 */
function placeOf(sessionId: string | undefined, configurable: RunConfiguration | undefined): string {
  const tasks = textOf(configurable?.checkpoint_ns)?.split('|') ?? [];
  const path = tasks.slice(0, -1).map((task) => task.split(':', 1)[0]);
  // Whatever an id holds, no two places have one name.
  return JSON.stringify([sessionId ?? '', ...path]);
}

/** Adds the injection to the system message, wherever that stands: providers take one, at the start. */
function withInjection(
  { injection, messages }: Additions,
  systemMessage: SystemMessage,
): { readonly messages: BaseMessage[]; readonly systemMessage: SystemMessage } {
  if (injection === undefined) return { messages, systemMessage };
  const [first, ...rest] = messages;
  if (systemMessage.text === '' && SystemMessage.isInstance(first)) {
    return { messages: [addInjection(first, injection), ...rest], systemMessage };
  }
  return { messages, systemMessage: addInjection(systemMessage, injection) };
}

/** Adds the injection behind the agent's own instructions: providers take one system message, at the start. */
function addInjection(system: SystemMessage, injection: string): SystemMessage {
  const { content } = system;
  const text = system.text === '' ? injection : `\n\n${injection}`;
  return new SystemMessage({
    ...system,
    content: typeof content === 'string' ? content + text : [...content, { type: 'text', text }],
  });
}
