import { setTimeout } from 'node:timers/promises';
import { type AgentMemory, type Engine, FolderInUseError, type Output } from '@svc-memory/core';
import { CliError, EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { counted } from './counted.ts';
import { withEngine } from './direct-engine.ts';
import { followJob } from './follow-job.ts';
import { withMemory } from './memory-access.ts';
import type { Terminal } from './terminal.ts';

type Job = Output<'job'>['job'];

const LOOK_MS = 250;
const TITLE = 'Re-embedding';

/**
 * Makes the vectors of all memories anew, by the embedder in force. Ended at any moment, it goes on where it was when it is
 * called again. While an embedded service runs, that does it by itself, and this command only shows how far it is.
 */
export async function reembed(context: CommandContext, options: { tenant?: string }): Promise<number> {
  try {
    return await withEngine(context, (engine) => reembedDirectly(engine, context, options));
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    return withMemory(context, (memory) => watch(memory, context));
  }
}

async function reembedDirectly(
  engine: Engine,
  { terminal }: CommandContext,
  { tenant }: { tenant?: string },
): Promise<number> {
  const { reembedding } = engine;
  let tenants = 0;
  let memories = 0;
  for (;;) {
    const outdated = (await reembedding.outdated()).filter(
      ({ tenantId }) => (tenant ?? tenantId) === tenantId,
    );
    if (outdated.length === 0) break;
    for (const { tenantId, model } of outdated) {
      const { id } = await reembedding.start(tenantId);
      const job = await workUntilDone(engine, tenantId, id, terminal);
      if (job.status !== 'done') throw failure(job);
      terminal.err(
        `Tenant ${tenantId}: ${job.progress.done} memories, from ${model} to ${reembedding.model}.`,
      );
      for (const { item, message } of job.errors) terminal.err(`  ${item}: ${message}`);
      tenants += 1;
      memories += job.progress.done;
    }
  }
  terminal.out(
    tenants === 0
      ? `Nothing to do: ${reembedding.model} answers already.`
      : `${reembedding.model} answers now for ${counted(memories, 'memory', 'memories')} of ${counted(tenants, 'tenant')}.`,
  );
  return EXIT.ok;
}

async function workUntilDone(engine: Engine, tenantId: string, id: string, terminal: Terminal): Promise<Job> {
  const over = new AbortController();
  const work = (async () => {
    while (!over.signal.aborted) {
      await engine.reembedding.work(over.signal);
      await setTimeout(LOOK_MS, undefined, { signal: over.signal }).catch(() => {});
    }
  })();
  try {
    return await followJob(terminal, engine.agent(tenantId), { id, title: TITLE });
  } finally {
    over.abort();
    await work;
  }
}

async function watch(memory: AgentMemory, { terminal }: CommandContext): Promise<number> {
  const [newest] = (await memory.jobs({ kind: 'reembed', limit: 1 })).jobs;
  if (!newest || newest.finished_at !== null) {
    terminal.out(
      'Nothing to do: the running service re-embeds by itself within minutes of a change of SVC_EMBEDDER.',
    );
    return EXIT.ok;
  }
  const job = await followJob(terminal, memory, { id: newest.id, title: TITLE });
  if (job.status !== 'done') throw failure(job);
  terminal.out(`The new embedder answers now for ${counted(job.progress.done, 'memory', 'memories')}.`);
  return EXIT.ok;
}

function failure({ status, error }: Job): CliError {
  return new CliError(
    `The re-embedding ${status === 'failed' ? 'failed' : 'was cancelled'}.${error ? ` ${error.message}` : ''}`,
    {
      fix: 'Run `svc doctor`, then `svc reembed` again: it goes on where it was. Until then the old vectors answer.',
    },
  );
}
