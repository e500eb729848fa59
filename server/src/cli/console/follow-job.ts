import type { AgentMemory, Output } from '@svc-memory/core';
import { startBar } from './progress-bar.ts';
import type { Terminal } from './terminal.ts';

type Job = Output<'job'>['job'];

const LOOK_MS = 300;

/**
 * Waits for the end of a job, with a bar of its progress where there is a terminal to show it on.
 *
 * @param work Does some of the job, where no service runs to do it.
 */
export async function followJob(
  terminal: Terminal,
  memory: Pick<AgentMemory, 'job'>,
  { id, title, work }: { id: string; title: string; work?: (() => Promise<unknown>) | undefined },
): Promise<Job> {
  const bar = await startBar(terminal, title);
  try {
    for (;;) {
      const { job } = await memory.job({ id });
      bar?.show(job.progress.done, job.progress.total);
      if (job.finished_at !== null) return job;
      if (work) await Promise.race([work(), pause()]);
      else await pause();
    }
  } finally {
    bar?.stop();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}
