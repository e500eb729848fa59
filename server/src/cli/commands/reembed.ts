import { setTimeout } from 'node:timers/promises';
import type { Engine, Output } from '@svc-memory/core';
import { readJob, startReembedding } from '../../control/actions/reembed.ts';
import { CliError } from '../../control/cli-error.ts';
import { type Operator, operate } from '../access/operate.ts';
import { type CommandContext, defineCommand, option } from '../console/command.ts';
import { followJob } from '../console/follow-job.ts';
import type { Terminal } from '../console/terminal.ts';
import { counted } from '../console/terminal.ts';

type Job = Output<'job'>['job'];

const LOOK_MS = 250;

export default defineCommand({
  name: 'reembed',
  description: 'Make all vectors anew by the embedder in force; may be ended and run again at any moment',
  options: [option('--tenant <id>', 'Only this tenant')],
  examples: ['SVC_EMBEDDER=openai:text-embedding-3-small npx svc-memory reembed'],
  run: reembedAll,
});

/**
 * Computes the vectors of all memories again with the embedder in force. A command that was interrupted continues at its next
 * call. A running embedded service does the work itself, with its own embedder.
 */
async function reembedAll(context: CommandContext, { tenant }: { tenant?: string }): Promise<void> {
  const { terminal } = context;
  return operate(context, async (operator) => {
    let tenants = 0;
    let memories = 0;
    for (;;) {
      const { model, jobs } = await operator.perform(startReembedding, { tenant });
      if (jobs.length === 0) {
        terminal.out(summary(model, { tenants, memories, isService: !operator.engine }));
        return;
      }
      for (const { tenantId, id, from } of jobs) {
        const job = await workUntilDone(operator, terminal, { tenantId, id });
        if (job.status !== 'done') throw failure(job);
        terminal.err(`Tenant ${tenantId}: ${job.progress.done} memories, from ${from} to ${model}.`);
        for (const { item, message } of job.errors) terminal.err(`  ${item}: ${message}`);
        tenants += 1;
        memories += job.progress.done;
      }
    }
  });
}

function summary(
  model: string,
  { tenants, memories, isService }: { tenants: number; memories: number; isService: boolean },
): string {
  if (tenants > 0) {
    return `${model} answers now for ${counted(memories, 'memory', 'memories')} of ${counted(tenants, 'tenant')}.`;
  }
  const hint = isService ? ' After a change of SVC_EMBEDDER, restart the service.' : '';
  return `Nothing to do: ${model} answers already.${hint}`;
}

async function workUntilDone(
  { engine, perform }: Operator,
  terminal: Terminal,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<Job> {
  const over = new AbortController();
  const work = engine ? workOn(engine, over.signal) : undefined;
  try {
    const memory = { job: () => perform(readJob, { tenantId, id }) };
    return await followJob(terminal, memory, { id, title: 'Re-embedding' });
  } finally {
    over.abort();
    await work;
  }
}

async function workOn({ reembedding }: Engine, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await reembedding.work(signal);
    await setTimeout(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}

function failure({ status, error }: Job): CliError {
  return new CliError(
    `The re-embedding ${status === 'failed' ? 'failed' : 'was cancelled'}.${error ? ` ${error.message}` : ''}`,
    {
      fix: 'Run `npx svc-memory doctor`, then `npx svc-memory reembed` again: it goes on where it was. Until then the old vectors answer.',
    },
  );
}
