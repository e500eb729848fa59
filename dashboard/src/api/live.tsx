import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useAgent } from './agent.tsx';
import type { LiveStatus } from './event-stream.ts';
import { changeChannel } from './other-windows.ts';
import { SESSION_KEY } from './session.ts';
import { followShared } from './shared-stream.ts';
import type { Topic } from './topic.ts';

const Context = createContext<LiveStatus>('connecting');
export const useLiveStatus = () => useContext(Context);

const GATHER_MS = 600;

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
    followShared(agent.id, abort.signal, (news) => {
      if (news.kind === 'event') return touch(topicsOf(news.type));
      if (news.kind === 'signed-out') return void client.invalidateQueries({ queryKey: SESSION_KEY });
      setStatus(news.status);
      // The events of the time offline were missed.
      if (news.status === 'live' && missed) touch(['all']);
      missed = news.status === 'offline';
    });
    const deafen = changeChannel.listen((changed) => changed.agent === agent.id && touch(changed.topics));
    return () => {
      abort.abort();
      clearTimeout(timer);
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
