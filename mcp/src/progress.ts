import { setTimeout as wait } from 'node:timers/promises';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { AgentMemory } from '@svc-memory/core/contract';

const TICK_MS = 1_000;
const POLL_MS = 250;
/** A reflection that takes longer goes on in the background; the answer then shows how far it is. */
const FOLLOW_MS = 60_000;

/** Tells the client how far a call is; each value is greater than the one before. */
type Report = (
  progress: number,
  more?: { readonly total?: number; readonly message?: string },
) => Promise<void>;

/** What reports the progress of this request; undefined where the client did not ask for it. */
function reporterOf({ mcpReq }: ServerContext): Report | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = -1;
  return async (progress, more = {}) => {
    if (progress <= last) return;
    last = progress;
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, ...more } });
  };
}

/**
 * Runs a long call and tells each second that it goes on: in seconds, since nobody knows how many there will be. A client
 * that waits for signs of life then does not give up.
 */
export async function withTicks<T>(
  context: ServerContext,
  message: string,
  work: () => Promise<T>,
): Promise<T> {
  const report = reporterOf(context);
  if (!report) return work();
  let seconds = 0;
  await report(seconds, { message });
  const timer = setInterval(() => {
    seconds += 1;
    // The client has left: the call itself learns that from its signal.
    report(seconds, { message }).catch(() => {});
  }, TICK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await report(seconds + 1, { message: 'Done' });
  }
}

/**
 * Reports the progress of a job to a client that asked for it, in items done of all, until the job ends.
 *
 * @returns the job as it is at last; undefined where the client did not ask.
 */
export async function reportJob(context: ServerContext, memory: AgentMemory, id: string) {
  const report = reporterOf(context);
  if (!report) return undefined;
  const { signal } = context.mcpReq;
  const until = Date.now() + FOLLOW_MS;
  for (;;) {
    const { job } = await memory.job({ id }, { signal });
    const { done, total } = job.progress;
    await report(done, { message: job.status, ...(total === null ? {} : { total }) });
    const isOver = job.status !== 'queued' && job.status !== 'running';
    if (isOver)
      await report(Math.max(done, total ?? 0, 1), {
        message: job.status,
        ...(total === null ? {} : { total }),
      });
    if (isOver || Date.now() > until) return job;
    await wait(POLL_MS, undefined, { signal });
  }
}
