import { type MessagePart, member } from './messages.ts';

/** A reader that wants nothing more for so long has left, or is slow. */
const STALLED_MS = 2_000;

/** Who is told of the texts and tool calls of a streamed answer. */
export interface StreamListener {
  /** Ends the answer. */
  readonly abortSignal: AbortSignal | undefined;
  /** The answer is complete; the end of the stream waits. */
  readonly onEnd: (answer: readonly MessagePart[]) => Promise<void>;
  /** The reader is gone, or the answer was aborted: what there was of it by then. */
  readonly onLeave: (answer: readonly MessagePart[]) => void;
  /** The reader wants nothing more for now: some leave without a word, and the answer may never end. */
  readonly onStall: () => void;
}

/**
 * Passes a streamed answer on and tells its texts and tool calls, once: at its end, or when it is left before. A stream that failed
 * tells nothing. Not a `TransformStream`: before Node 22 that does not hear of a reader that has left.
 */
export function listen<C extends MessagePart>(
  source: ReadableStream<C>,
  { abortSignal, onEnd, onLeave, onStall }: StreamListener,
): ReadableStream<C> {
  const reader = source.getReader();
  const answer: MessagePart[] = [];
  let isOver = false;
  let stall: ReturnType<typeof setTimeout> | undefined;
  /** True the first time. */
  const finish = () => {
    abortSignal?.removeEventListener('abort', leave);
    clearTimeout(stall);
    const isFirst = !isOver;
    isOver = true;
    return isFirst;
  };
  const leave = () => {
    if (finish()) onLeave(answer);
  };
  abortSignal?.addEventListener('abort', leave, { once: true });
  return new ReadableStream<C>(
    {
      pull: async (controller) => {
        clearTimeout(stall);
        const { done, value } = await reader.read().catch((error: unknown) => {
          finish();
          throw error;
        });
        if (done) {
          if (finish()) await onEnd(answer);
          controller.close();
          return;
        }
        if (value.type === 'text-delta')
          answer.push({ type: 'text', text: member(value, 'delta') } as MessagePart);
        if (value.type === 'tool-call') answer.push(value);
        if (value.type === 'error') finish();
        if (!isOver) stall = setTimeout(onStall, STALLED_MS);
        controller.enqueue(value);
      },
      cancel: async (reason) => {
        leave();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
