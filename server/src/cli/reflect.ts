import { InvalidArgumentError } from 'commander';
import { CliError, EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { counted } from './counted.ts';
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
    const of = (name: string) => Number(done.result?.[name] ?? 0);
    context.terminal.out(
      `${counted(of('digests'), 'digest')} of ${counted(of('episodes'), 'episode')}; ${counted(of('merged'), 'copy', 'copies')} merged, ${counted(of('superseded'), 'memory', 'memories')} superseded.`,
    );
    return EXIT.ok;
  });
}
