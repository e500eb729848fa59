import { AIMessage, SystemMessage } from '@langchain/core/messages';
import type { MemoryOptions } from '@svc-memory/core/adapter';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { sessionOf } from './session.ts';

/** What `agentMemoryMiddleware` takes. `sessionId` defaults to the agent's `thread_id`. */
export interface AgentMemoryMiddlewareOptions extends MemoryOptions {
  /**
   * Takes over the promise of what is stored at the end of an invocation, as `waitUntil` of serverless platforms does;
   * the invocation then does not wait for it. It never rejects. Default: the invocation waits.
   */
  readonly waitUntil?: (storing: Promise<void>) => void;
}

/** The part of a runtime that is read here. */
interface Runtime {
  readonly configurable?: { readonly thread_id?: string };
}

/**
 * Gives an agent its memory; for `middleware` of `createAgent`, beside `summarizationMiddleware` in any order.
 *
 * The boot injection is added to the system message of every model call. When the messages are summarised, what was
 * replaced is kept and the recovery injection takes over. When the user asks for what the injection does not show, it
 * is made anew. At the end of an invocation its new turns are kept. Nothing else of the agent's state, its calls or
 * their answers is changed. Where the memory service fails, a warning is given and the agent goes on.
 */
export function agentMemoryMiddleware(options: AgentMemoryMiddlewareOptions): AgentMiddleware {
  const optionsFor = ({ configurable }: Runtime): MemoryOptions => {
    const sessionId = options.sessionId ?? configurable?.thread_id;
    return { ...options, ...(sessionId === undefined ? {} : { sessionId }) };
  };

  return createMiddleware({
    name: 'AgentMemory',
    beforeAgent: ({ messages }, runtime) => {
      sessionOf(optionsFor(runtime)).begin(messages);
    },
    wrapModelCall: async (request, handler) => {
      const { messages, runtime, systemMessage } = request;
      const own = optionsFor(runtime);
      const session = sessionOf(own);
      const injection = await session.injectionFor({ options: own, messages, signal: runtime.signal });
      const answer = await handler(
        injection === undefined
          ? request
          : { ...request, systemMessage: addInjection(systemMessage, injection) },
      );
      session.saw(AIMessage.isInstance(answer) ? [...messages, answer] : messages);
      return answer;
    },
    afterAgent: async ({ messages }, runtime) => {
      const own = optionsFor(runtime);
      const storing = sessionOf(own).end(own, messages);
      if (options.waitUntil) options.waitUntil(storing);
      else await storing;
    },
  });
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
