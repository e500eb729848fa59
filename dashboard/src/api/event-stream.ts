import { t } from '@lingui/core/macro';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { open, requestHeaders } from './call.ts';
import { ApiError } from './error.ts';
import { worthTrying } from './worth-trying.ts';

/** `connecting`: not connected yet. `live`: events arrive. `offline`: the pages may show old data. */
export type LiveStatus = 'connecting' | 'live' | 'offline';

/** What the event stream of an agent tells. */
export type StreamNews =
  | { readonly kind: 'status'; readonly status: LiveStatus }
  /** `id` is absent where the service says that events were missed (`resync`). */
  | { readonly kind: 'event'; readonly type: string; readonly id?: string | undefined }
  | { readonly kind: 'signed-out' };

const RETRY_MS = [500, 1_000, 2_000, 5_000];
/** The service sends a heartbeat every 15 seconds. A connection that is silent for longer is dead, though nobody has closed it. */
const SILENT_MS = 40_000;

/**
 * Keeps the event stream of an agent open until `signal` aborts. Reconnects after a pause of at most five seconds, or when the
 * network is back or the human looks at the page.
 *
 * @param lastEvent Returns the id of the last event that was told: the stream goes on after it.
 */
export async function followStream(
  agent: string,
  signal: AbortSignal,
  tell: (news: StreamNews) => void,
  lastEvent: () => string | undefined,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await listen(agent, signal, tell, {
        lastEvent: lastEvent(),
        opened: () => {
          failures = 0;
          tell({ kind: 'status', status: 'live' });
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      const isSignedOut = error instanceof ApiError && error.status === 401;
      tell(isSignedOut ? { kind: 'signed-out' } : { kind: 'status', status: 'offline' });
      failures += 1;
    }
    await worthTrying(signal, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0);
  }
}

interface Listening {
  readonly lastEvent: string | undefined;
  readonly opened: () => void;
}

async function listen(
  agent: string,
  signal: AbortSignal,
  tell: (news: StreamNews) => void,
  { lastEvent, opened }: Listening,
): Promise<never> {
  const headers = {
    ...requestHeaders({ agent }),
    Accept: 'text/event-stream',
    ...(lastEvent !== undefined && { 'Last-Event-ID': lastEvent }),
  };
  const silence = silenceOf(signal);
  try {
    const response = await open('/events/stream', { headers, signal: silence.signal, cache: 'no-store' });
    if (!response.ok || !response.body) {
      throw new ApiError('UNAVAILABLE', t`No live updates now.`, response.status);
    }
    opened();
    const events = response.body
      .pipeThrough(silence.broken())
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (;;) {
      const { done, value } = await events.read();
      if (done) throw new ApiError('OFFLINE', t`The stream ended.`, 0);
      if (signal.aborted) throw signal.reason;
      const type = value.event === 'resync' ? 'resync' : typeOf(value.data);
      tell({ kind: 'event', type, id: value.id });
    }
  } finally {
    silence.end();
  }
}

/** A signal that aborts with `signal`, and when nothing was received for too long. */
function silenceOf(signal: AbortSignal) {
  const silent = new AbortController();
  const abort = () => silent.abort();
  let timer = setTimeout(abort, SILENT_MS);
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(abort, SILENT_MS);
  };
  return {
    signal: AbortSignal.any([signal, silent.signal]),
    /** Lets bytes through, and notes that there were some: also heartbeats, which are no events. */
    broken: () =>
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (bytes, controller) => {
          wait();
          controller.enqueue(bytes);
        },
      }),
    end: () => clearTimeout(timer),
  };
}

function typeOf(data: string): string {
  try {
    return String((JSON.parse(data) as { type?: unknown }).type);
  } catch {
    return 'unknown';
  }
}
