import type { Topic } from './topic.ts';

/** What was changed in one window of this browser, and of which agent. */
interface Changed {
  readonly agent: string;
  readonly topics: readonly Topic[];
}

const channel = () => new BroadcastChannel('svc-changed');

/** Tells the other windows of this browser what an action has changed: the event stream does not tell of all. */
export function tellChanged(changed: Changed): void {
  const other = channel();
  other.postMessage(changed);
  other.close();
}

/** Listens for what other windows change. @returns what ends the listening. */
export function onChanged(listener: (changed: Changed) => void): () => void {
  const other = channel();
  other.onmessage = ({ data }: MessageEvent<Changed>) => listener(data);
  return () => other.close();
}
