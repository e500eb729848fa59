import { followStream, type LiveStatus, type StreamNews } from './event-stream.ts';
import { inOneWindow } from './one-window.ts';

/** What the windows of a browser say to each other about the stream of an agent. */
type Message = StreamNews | { readonly kind: 'ask' };

/**
 * Follows the event stream of an agent until `signal` aborts. One window of the browser holds the connection for all: over HTTP/1.1
 * a browser opens six to a host, so that with a stream in each of six windows no page and no action would get through.
 */
export function followShared(agent: string, signal: AbortSignal, tell: (news: StreamNews) => void): void {
  if (navigator.locks === undefined) {
    void followStream(agent, signal, tell, () => undefined);
    return;
  }
  const name = `svc-live ${agent}`;
  const channel = new BroadcastChannel(name);
  let status: LiveStatus = 'connecting';
  let lastEvent: string | undefined;
  let isLeading = false;
  const hear = (news: StreamNews) => {
    if (news.kind === 'status') status = news.status;
    if (news.kind === 'event') lastEvent = news.id ?? lastEvent;
    tell(news);
  };
  const tellAll = (news: StreamNews) => {
    hear(news);
    channel.postMessage(news satisfies Message);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'ask') hear(data);
    else if (isLeading) channel.postMessage({ kind: 'status', status } satisfies Message);
  };
  channel.postMessage({ kind: 'ask' } satisfies Message);
  signal.addEventListener('abort', () => channel.close());
  void inOneWindow(name, signal, async (turn, takesOver) => {
    isLeading = true;
    // The stream goes on after the last event. Where none was heard of, some may have been missed since the window before stopped.
    let isGapClosed = !takesOver || lastEvent !== undefined;
    await followStream(
      agent,
      turn,
      (news) => {
        tellAll(news);
        if (isGapClosed || news.kind !== 'status' || news.status !== 'live') return;
        isGapClosed = true;
        tellAll({ kind: 'event', type: 'resync' });
      },
      () => lastEvent,
    );
    isLeading = false;
  });
}
