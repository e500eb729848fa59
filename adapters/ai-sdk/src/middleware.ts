import {
  handOver,
  type MemoryOptions,
  optionsOfUser,
  requireOptions,
  userIdIn,
} from '@svc-memory/core/adapter';
import { addRecalled, insert, toMessage } from './injection.ts';
import { listen } from './listen.ts';
import { markOf } from './mark.ts';
import { answerTurns, type Message, type MessagePart, turnsOf } from './messages.ts';
import { conversationOf, sessionOf } from './session.ts';

/** What `memoryMiddleware` takes. */
export interface MiddlewareOptions extends MemoryOptions {
  /**
   * Takes over the promise of what is stored after an answer, as `waitUntil` of serverless platforms does; the answer
   * then does not wait for it. It never rejects. Default: the answer waits.
   */
  readonly waitUntil?: ((storing: Promise<void>) => void) | undefined;
}

/** Parameters of a model call as far as they are read here. */
interface CallParameters {
  readonly prompt: readonly Message[];
  readonly abortSignal?: AbortSignal | undefined;
  /** `svcMemory: { userId, sessionId }` names the user and the conversation that the call is for. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

/** A language model middleware of `ai` 6 and of `ai` 7 at once. */
export interface MemoryMiddleware {
  readonly specificationVersion: 'v3';
  transformParams<P extends CallParameters>(call: { readonly params: P }): Promise<P>;
  wrapGenerate<R extends { readonly content: readonly MessagePart[] }>(call: {
    readonly doGenerate: () => PromiseLike<R>;
    readonly params: CallParameters;
  }): Promise<R>;
  wrapStream<C extends MessagePart, R extends { readonly stream: ReadableStream<C> }>(call: {
    readonly doStream: () => PromiseLike<R & { readonly stream: ReadableStream<C> }>;
    readonly params: CallParameters;
  }): Promise<R>;
}

/**
 * Gives a language model its agent's memory; for `wrapLanguageModel`.
 *
 * Before a call it adds the boot injection as a system message, unless `compactMessages` has put a recovery there, and puts what
 * is recalled for a message of the user behind that message. After an answer it stores the turns of the conversation that are not
 * stored yet; of an answer that is aborted or no longer read, the part that came. It changes nothing else of the call or its
 * answer. Where the memory service fails, it gives a warning and the call goes on.
 */
export function memoryMiddleware(options: MiddlewareOptions): MemoryMiddleware {
  requireOptions('memoryMiddleware', options);
  sessionOf(optionsOfUser(options)).boots = true;
  const optionsFor = (params: CallParameters) => {
    const { userId, sessionId = options.sessionId } = namedBy(params);
    return optionsOfUser({ ...options, sessionId }, userId);
  };

  /** Stores the turns of a call and its answer. */
  const keep = async (params: CallParameters, answer: readonly MessagePart[]): Promise<void> => {
    const { prompt } = params;
    const own = optionsFor(params);
    const session = sessionOf(own);
    const turns = [...session.asMade(prompt).flatMap(turnsOf), ...answerTurns(answer)];
    session.noteCalls(answer);
    const recovery = prompt.map(markOf).find((mark) => mark?.injection === 'recovery');
    const afterCompaction = recovery !== undefined && recovery.compaction === session.compaction?.id;
    const storing = session.keep(turns, { options: own, during: 'turn', afterCompaction }).then(() => {});
    await handOver(options.waitUntil, storing);
  };

  return {
    specificationVersion: 'v3',
    transformParams: ({ params }) => addMemory(params, optionsFor(params)),
    wrapGenerate: async ({ doGenerate, params }) => {
      try {
        const result = await doGenerate();
        sessionOf(optionsFor(params)).answered();
        await keep(params, result.content);
        return result;
      } catch (error) {
        // Not awaited: the caller has aborted, and waits no longer.
        if (params.abortSignal?.aborted) void keep(params, []);
        throw error;
      }
    },
    wrapStream: async ({ doStream, params }) => {
      const { abortSignal } = params;
      const leave = (answer: readonly MessagePart[]) => void keep(params, answer);
      try {
        const result = await doStream();
        const stream = listen(result.stream, {
          abortSignal,
          onEnd: (answer) => {
            sessionOf(optionsFor(params)).answered();
            return keep(params, answer);
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

/** Adds to the prompt of a call the boot injection and what is recalled for it, where `compactMessages` has not done so. */
async function addMemory<P extends CallParameters>(params: P, options: MiddlewareOptions): Promise<P> {
  const session = sessionOf(options);
  session.boots = true;
  if (params.prompt.some((message) => markOf(message) !== undefined)) return params;
  const conversation = conversationOf(params.prompt);
  const text = await session.boot({ options, conversation, signal: params.abortSignal });
  const prompt = addRecalled(params.prompt, session, options);
  if (text === undefined) return { ...params, prompt };
  return { ...params, prompt: insert(prompt, toMessage(text, { injection: 'boot' })) };
}

/** What `svcMemory` of a call may say. */
const NAMED = ['userId', 'sessionId'];

/**
 * The user and the conversation that a model call is for, where it names them: the SDK hands on `providerOptions` of every call.
 *
 * @throws TypeError where one is no id, or anything else is said: users whose name is written otherwise would share one memory
 */
function namedBy({ providerOptions }: CallParameters): {
  userId?: string | undefined;
  sessionId?: string | undefined;
} {
  const where = 'providerOptions.svcMemory';
  const named = providerOptions?.svcMemory;
  if (named === undefined) return {};
  if (typeof named !== 'object' || named === null) {
    throw new TypeError(`${where} must be an object of ${NAMED.join(' and ')}`);
  }
  const unknown = Object.keys(named).find((name) => !NAMED.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`${where}.${unknown} is not a known field; known fields: ${NAMED.join(', ')}`);
  }
  const { sessionId } = named;
  if (sessionId !== undefined && (typeof sessionId !== 'string' || sessionId === '')) {
    throw new TypeError(`${where}.sessionId must be the id of a conversation, a text of 1 to 256 characters`);
  }
  return { userId: userIdIn(named, 'userId', `${where}.userId`), sessionId };
}
