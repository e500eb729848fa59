import { type MemoryOptions, requireMemory } from '@svc-memory/core/adapter';
import { addRecalled, insert, toMessage } from './injection.ts';
import { listen } from './listen.ts';
import { markOf } from './mark.ts';
import { answerTurns, type Message, type Part, turnsOf } from './messages.ts';
import { conversationOf, sessionOf } from './session.ts';

/** What `memoryMiddleware` takes. */
export interface MiddlewareOptions extends MemoryOptions {
  /**
   * Takes over the promise of what is stored after an answer, as `waitUntil` of serverless platforms does; the answer
   * then does not wait for it. It never rejects. Default: the answer waits.
   */
  readonly waitUntil?: (storing: Promise<void>) => void;
}

/** Parameters of a model call as far as they are read here. */
interface CallParameters {
  readonly prompt: readonly Message[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** A language model middleware of `ai` 6 and of `ai` 7 at once. */
export interface MemoryMiddleware {
  readonly specificationVersion: 'v3';
  transformParams<P extends CallParameters>(call: { readonly params: P }): Promise<P>;
  wrapGenerate<R extends { readonly content: readonly Part[] }>(call: {
    readonly doGenerate: () => PromiseLike<R>;
    readonly params: CallParameters;
  }): Promise<R>;
  wrapStream<C extends Part, R extends { readonly stream: ReadableStream<C> }>(call: {
    readonly doStream: () => PromiseLike<R & { readonly stream: ReadableStream<C> }>;
    readonly params: CallParameters;
  }): Promise<R>;
}

/**
 * Gives a language model its agent's memory; for `wrapLanguageModel`.
 *
 * Before a call the boot injection is added as a system message, unless `compactMessages` has put a recovery there, and
 * what is recalled for a message of the user is added behind it. After an answer, the turns of the conversation that
 * are not kept yet are kept; of an answer that is aborted or left, what there is of it. Nothing else of the call or its
 * answer is changed. Where the memory service fails, a warning is given and the call goes on.
 */
export function memoryMiddleware(options: MiddlewareOptions): MemoryMiddleware {
  requireMemory('memoryMiddleware', options);
  sessionOf(options).boots = true;

  /** Keeps what was said up to an answer. */
  const keep = async (prompt: readonly Message[], answer: readonly Part[]): Promise<void> => {
    const session = sessionOf(options);
    const turns = [...prompt.flatMap(turnsOf), ...answerTurns(answer)];
    const recovery = prompt.map(markOf).find((mark) => mark?.injection === 'recovery');
    const afterCompaction = recovery !== undefined && recovery.compaction === session.compaction?.id;
    const storing = session.keep(turns, { options, during: 'turn', afterCompaction }).then(() => {});
    if (options.waitUntil) options.waitUntil(storing);
    else await storing;
  };

  return {
    specificationVersion: 'v3',
    transformParams: async ({ params }) => {
      const session = sessionOf(options);
      session.boots = true;
      if (params.prompt.some((message) => markOf(message) !== undefined)) return params;
      const conversation = conversationOf(params.prompt);
      const text = await session.boot({ options, conversation, signal: params.abortSignal });
      const prompt = addRecalled(params.prompt, session, options);
      if (text === undefined) return { ...params, prompt };
      return { ...params, prompt: insert(prompt, toMessage(text, { injection: 'boot' })) };
    },
    wrapGenerate: async ({ doGenerate, params: { prompt, abortSignal } }) => {
      try {
        const result = await doGenerate();
        sessionOf(options).answered();
        await keep(prompt, result.content);
        return result;
      } catch (error) {
        // The caller waits no longer.
        if (abortSignal?.aborted) void keep(prompt, []);
        throw error;
      }
    },
    wrapStream: async ({ doStream, params: { prompt, abortSignal } }) => {
      const leave = (answer: readonly Part[]) => void keep(prompt, answer);
      try {
        const result = await doStream();
        const stream = listen(result.stream, {
          abortSignal,
          onEnd: (answer) => {
            sessionOf(options).answered();
            return keep(prompt, answer);
          },
          onLeave: leave,
          onStall: () => leave([]),
        });
        return { ...result, stream };
      } catch (error) {
        if (abortSignal?.aborted) leave([]);
        throw error;
      }
    },
  };
}
