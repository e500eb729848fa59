import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useAgent } from './agent.tsx';
import { open, requestHeaders } from './call.ts';
import { ApiError } from './error.ts';
import { onChanged } from './other-windows.ts';
import { SESSION_KEY } from './session.ts';
import type { Topic } from './topic.ts';

/** `connecting`: not connected yet. `live`: events arrive. `offline`: the pages may show old data. */
export type LiveStatus = 'connecting' | 'live' | 'offline';

const Context = createContext<LiveStatus>('connecting');
export const useLiveStatus = () => useContext(Context);

const GATHER_MS = 600;
const RETRY_MS = [500, 1_000, 2_000, 5_000];

/** The topics to fetch again, by the first word of an event's type. */
const TOUCHED: Readonly<Record<string, readonly Topic[]>> = {
  memory: ['overview', 'memories', 'guardian', 'boot', 'stability'],
  guardian: ['overview', 'guardian', 'memories', 'stability', 'audit'],
  distress: ['overview', 'distress'],
  billing: ['overview'],
};

/** Follows the agent's event stream, and fetches again what has changed. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const { agent } = useAgent();
  const client = useQueryClient();
  const [status, setStatus] = useState<LiveStatus>('connecting');

  useEffect(() => {
    const abort = new AbortController();
    const touched = new Set<Topic | 'all'>();
    let missed = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      const keys = touched.has('all') ? [[agent.id]] : [...touched].map((topic) => [agent.id, topic]);
      touched.clear();
      for (const queryKey of keys) void client.invalidateQueries({ queryKey });
    };
    const touch = (topics: readonly (Topic | 'all')[]) => {
      for (const topic of topics) touched.add(topic);
      // Many memories may change at once. One refresh covers all of them.
      timer ??= setTimeout(refresh, GATHER_MS);
    };
    const stop = follow(agent.id, abort.signal, {
      status: (next) => {
        setStatus(next);
        // The events of the time offline were missed.
        if (next === 'live' && missed) touch(['all']);
        missed = next === 'offline';
      },
      event: (type) => touch(topicsOf(type)),
      signedOut: () => void client.invalidateQueries({ queryKey: SESSION_KEY }),
    });
    const deafen = onChanged((changed) => changed.agent === agent.id && touch(changed.topics));
    return () => {
      abort.abort();
      clearTimeout(timer);
      stop();
      deafen();
    };
  }, [agent.id, client]);

  return <Context.Provider value={status}>{children}</Context.Provider>;
}

function topicsOf(type: string): readonly (Topic | 'all')[] {
  // A search changes only the count of operations.
  if (type === 'memory.recalled') return ['overview', 'recalls'];
  if (type === 'job.progress') return ['jobs'];
  return TOUCHED[type.split('.')[0] ?? ''] ?? ['all'];
}

interface Follower {
  status(status: LiveStatus): void;
  event(type: string): void;
  signedOut(): void;
}

/** Keeps the stream open until it is stopped. Reconnects after a pause of at most five seconds, or when it is woken. */
function follow(agent: string, signal: AbortSignal, follower: Follower): () => void {
  let failures = 0;
  let wake: (() => void) | undefined;
  // A new attempt is worthwhile at once when the network is back, or the human looks at the page.
  const waking = [
    [window, 'online'],
    [window, 'focus'],
    [document, 'visibilitychange'],
  ] as const;
  const wakeUp = () => wake?.();
  for (const [target, event] of waking) target.addEventListener(event, wakeUp);
  const run = async () => {
    while (!signal.aborted) {
      try {
        await listen(agent, signal, follower, () => {
          failures = 0;
        });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError && error.status === 401) return follower.signedOut();
        follower.status('offline');
        failures += 1;
      }
      const pause = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pause);
      });
      wake = undefined;
    }
  };
  void run();
  return () => {
    for (const [target, event] of waking) target.removeEventListener(event, wakeUp);
  };
}

async function listen(agent: string, signal: AbortSignal, follower: Follower, opened: () => void) {
  const headers = { ...requestHeaders({ agent }), Accept: 'text/event-stream' };
  const response = await open('/events/stream', { headers, signal, cache: 'no-store' });
  if (!response.ok || !response.body) {
    throw new ApiError('UNAVAILABLE', t`No live updates now.`, response.status);
  }
  opened();
  follower.status('live');
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (;;) {
    const { done, value } = await events.read();
    if (done) break;
    if (value.event === 'resync') follower.event('resync');
    else follower.event(typeOf(value.data));
  }
  throw new ApiError('OFFLINE', t`The stream ended.`, 0);
}

function typeOf(data: string): string {
  try {
    return String((JSON.parse(data) as { type?: unknown }).type);
  } catch {
    return 'unknown';
  }
}
