import type { Topic } from './topic.ts';
import { windowChannel } from './window-channel.ts';

/** What was changed in one window of this browser, and of which agent. */
interface Changed {
  readonly agent: string;
  readonly topics: readonly Topic[];
}

/** What an action has changed, for the other windows of this browser: the event stream does not tell of all. */
export const changeChannel = windowChannel<Changed>('svc-changed');
