import { InvalidArgumentError } from 'commander';
import { CliError, EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { followJob } from './follow-job.ts';
import { reach } from './reach.ts';

/** What `svc reflect` takes. */
export interface ReflectOptions {
  readonly olderThan?: number;
  readonly archiveSources?: true;
}

/** Days as an option. */
export function readDays(value: string): number {
  if (/^\d{1,4}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number of days.');
}

/** Turns old episodes into digests, merges copies and marks contradictions, and waits for it. */
export async function reflect(context: CommandContext, options: ReflectOptions): Promise<number> {
  return reach(context, async (reached) => {
    const { memory } = reached;
    const { job } = await memory.reflect({
      ...(options.olderThan === undefined ? {} : { older_than_days: options.olderThan }),
      ...(options.archiveSources ? { archive_sources: true } : {}),
    });
    const work = reached.kind === 'engine' ? () => reached.engine.background.run('jobs.work') : undefined;
    const done = await followJob(context.terminal, memory, {
      id: job.id,
      title: 'Reflecting',
      ...(work && { work }),
    });
    if (done.status !== 'done') {
      throw new CliError(`The reflection was ${done.status}.`, {
        fix: done.error?.message ?? 'What it had written stays.',
      });
    }
    const { episodes = 0, digests = 0, merged = 0, superseded = 0 } = done.result ?? {};
    context.terminal.out(
      `${digests} digests of ${episodes} episodes; ${merged} copies merged, ${superseded} memories superseded.`,
    );
    return EXIT.ok;
  });
}
