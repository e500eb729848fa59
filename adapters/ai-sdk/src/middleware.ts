import type { MemoryOptions } from '@svc-memory/core/adapter';
import { insert, markOf, toMessage } from './injection.ts';
import { answerTurns, type Message, member, type Part, turnsOf } from './messages.ts';
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
 * Before a call the boot injection is added as a system message, unless `compactMessages` has put a recovery there.
 * After a successful answer, the turns of the conversation that are not kept yet are kept. Nothing else of the call or
 * its answer is changed. Where the memory service fails, a warning is given and the call goes on.
 */
export function memoryMiddleware(options: MiddlewareOptions): MemoryMiddleware {
  sessionOf(options).boots = true;

  /** Keeps what was said up to an answer. */
  const keep = async (prompt: readonly Message[], answer: readonly Part[]): Promise<void> => {
    const session = sessionOf(options);
    session.answered();
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
      if (text === undefined) return params;
      return { ...params, prompt: insert(params.prompt, toMessage(text, { injection: 'boot' })) };
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      await keep(params.prompt, result.content);
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const result = await doStream();
      const answer: Part[] = [];
      let failed = false;
      const listen = new TransformStream({
        transform: (part, controller) => {
          if (part.type === 'text-delta') answer.push({ type: 'text', text: member(part, 'delta') } as Part);
          if (part.type === 'error') failed = true;
          controller.enqueue(part);
        },
        flush: async () => {
          if (!failed && !params.abortSignal?.aborted) await keep(params.prompt, answer);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(listen) };
    },
  };
}
