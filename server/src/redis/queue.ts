import Bull, { type Queue } from 'bull';

/** Opens the queue of the background work; it reconnects for ever. */
export function openQueue(url: string): Queue {
  return new Bull('background', url, {
    prefix: 'svc',
    redis: { retryStrategy: (attempt: number) => Math.min(attempt * 100, 5_000) },
  });
}

const CLOSE_MS = 2_000;

/** Closes a queue after the jobs it runs, but does not wait for a Redis that is away. */
export async function closeQueue(queue: Queue): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
  await Promise.race([queue.close().catch(() => {}), late]);
}
