import { AIMessage, type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { type MemoryOptions, optionsOfUser, requireMemory } from '@svc-memory/core/adapter';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { threadOf } from './session.ts';

/** What `agentMemoryMiddleware` takes. `sessionId` and `userId` default to `thread_id` and `user_id` of the run's `configurable`. */
export interface AgentMemoryMiddlewareOptions extends MemoryOptions {
  /**
   * Takes over the promise of what is stored at the end of an invocation, as `waitUntil` of serverless platforms does;
   * the invocation then does not wait for it. It never rejects. Default: the invocation waits.
   */
  readonly waitUntil?: (storing: Promise<void>) => void;
}

/** The part of a runtime that is read here. */
interface Runtime {
  readonly configurable?: { readonly thread_id?: string; readonly user_id?: unknown };
}

/**
 * Gives an agent its memory; for `middleware` of `createAgent`, beside `summarizationMiddleware` in any order.
 *
 * The boot injection is added to the system message of every model call. When the messages are summarised, what was
 * replaced is kept and the recovery injection takes over. What is recalled for a message of the user, and stands nowhere
 * yet, is added behind it. New turns are kept at the end of an invocation, when it is aborted, and, without waiting, before tools
 * run, where a graph may be interrupted. Nothing else of the agent's state, its calls or
 * their answers is changed. Where the memory service fails, a warning is given and the agent goes on.
 */
export function agentMemoryMiddleware(options: AgentMemoryMiddlewareOptions): AgentMiddleware {
  requireMemory('agentMemoryMiddleware', options);
  const optionsFor = ({ configurable }: Runtime): MemoryOptions => {
    const sessionId = options.sessionId ?? configurable?.thread_id;
    const own = { ...options, ...(sessionId === undefined ? {} : { sessionId }) };
    return optionsOfUser(own, options.userId ?? userOf(configurable));
  };
  const keep = (own: MemoryOptions, messages: readonly BaseMessage[]): Promise<void> => {
    const storing = threadOf(own).keepAll(own, messages);
    if (!options.waitUntil) return storing;
    options.waitUntil(storing);
    return Promise.resolve();
  };

  return createMiddleware({
    name: 'AgentMemory',
    beforeAgent: ({ messages }, runtime) => {
      threadOf(optionsFor(runtime)).begin(messages);
    },
    wrapModelCall: async (request, handler) => {
      const { messages, runtime, systemMessage } = request;
      const own = optionsFor(runtime);
      const session = threadOf(own);
      const added = await session.additionsTo({ options: own, messages, signal: runtime.signal });
      const { injection } = added;
      try {
        const answer = await handler({
          ...request,
          messages: added.messages,
          systemMessage: injection === undefined ? systemMessage : addInjection(systemMessage, injection),
        });
        const said = AIMessage.isInstance(answer) ? [...messages, answer] : messages;
        session.saw(said);
        // Before tools run the graph may be interrupted, and is told to nobody.
        if (AIMessage.isInstance(answer) && answer.tool_calls?.length) void keep(own, said);
        return answer;
      } catch (error) {
        if (runtime.signal?.aborted) void keep(own, messages);
        throw error;
      }
    },
    afterAgent: async ({ messages }, runtime) => {
      await keep(optionsFor(runtime), messages);
    },
  });
}

/** The user that a run is for, by its configuration. */
export function userOf(configurable: { readonly user_id?: unknown } | undefined): string | undefined {
  const { user_id: userId } = configurable ?? {};
  return typeof userId === 'string' && userId !== '' ? userId : undefined;
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
