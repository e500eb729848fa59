import { AIMessage, type BaseMessage, SystemMessage } from '@langchain/core/messages';
import {
  type AgentMemory,
  handOver,
  type MemoryOptions,
  optionsOfUser,
  requireOptions,
  userIdIn,
} from '@svc-memory/core/adapter';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { z } from 'zod';
import { type Additions, threadOf } from './session.ts';

/**
 * What `agentMemoryMiddleware` takes. `sessionId` and `userId` default to what the run says: its `thread_id`, and its `user_id`.
 */
export interface AgentMemoryMiddlewareOptions extends MemoryOptions {
  /**
   * Takes over the promise of what is stored at the end of an invocation, as `waitUntil` of serverless platforms does;
   * the invocation then does not wait for it. It never rejects. Default: the invocation waits.
   */
  readonly waitUntil?: ((storing: Promise<void>) => void) | undefined;
}

/** What a run is for, as its `configurable` says; nobody checks its types. */
interface RunConfiguration {
  readonly thread_id?: unknown;
  readonly checkpoint_ns?: unknown;
}

/** The part of a runtime, or of the configuration of a tool's call, that is read here. */
interface Run {
  readonly configurable?: RunConfiguration | undefined;
  readonly context?: unknown;
}

/** How LangChain's documentation names the id of a user, in `configurable` and in `context`. */
const USER_NAMES = ['user_id', 'userId'] as const;
/** LangChain hides from a middleware what of the context it does not name. */
const contextSchema = z.object({ user_id: z.unknown(), userId: z.unknown() }).partial();

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
  const runOf = (run: Run) => {
    const { configurable } = run;
    const sessionId = options.sessionId ?? textOf(configurable?.thread_id);
    const user = userIdIn(options, 'userId', 'userId') ?? userOf(run);
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
    contextSchema,
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
 * The user that a run is for. One that is named and not seen would share the agent's own memory with all others.
 *
 * @throws TypeError where that is no id, or the run names two
 */
function userOf({ configurable, context }: Run): string | undefined {
  const ids = Object.entries({ configurable, context }).flatMap(([where, place]) =>
    USER_NAMES.flatMap((name) => userIdIn(place, name, `${name} of ${where}`) ?? []),
  );
  if (new Set(ids).size > 1) {
    throw new TypeError(
      'The run names two users, by user_id or userId of configurable and context; name one',
    );
  }
  return ids[0];
}

/** The memory that a tool works on in a run: that of the run's user, where it has one. */
export function memoryOfRun(memory: AgentMemory, run: Run): AgentMemory {
  return optionsOfUser({ memory }, userOf(run)).memory;
}

/** An id of a conversation, which some give as a number. */
function textOf(id: unknown): string | undefined {
  return typeof id === 'string' ? id : typeof id === 'number' ? String(id) : undefined;
}

/**
 * Names what a model sees: the conversation, and within it the agent. One that a tool of another agent calls has messages of its
 * own in the same thread. Tasks have names and ids ("tools:<id>|model_request:<id>"); the last is the model's own.
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
