import { routes } from '@svc-memory/core/contract';
import { CliError, EXIT } from '../../control/cli-error.ts';
import { reach } from '../access/reach.ts';
import { type CommandContext, defineCommand, option } from '../console/command.ts';
import { followJob } from '../console/follow-job.ts';
import { readNumber } from '../console/read-field.ts';
import { counted } from '../console/terminal.ts';

export default defineCommand({
  name: 'reflect',
  description: 'Turn old episodes into digests, merge copies and mark contradictions',
  options: [
    option('--older-than <days>', 'Age of the episodes in days; default: as configured, else 7').argParser(
      readNumber('--older-than', routes.reflect.request.shape.older_than_days),
    ),
    option('--archive-sources', 'Archive the episodes that are digested (restorable for 30 days)'),
  ],
  examples: ['npx svc-memory reflect', 'npx svc-memory reflect --older-than 30'],
  run: reflect,
});

interface ReflectOptions {
  readonly olderThan?: number;
  readonly archiveSources?: true;
}

/** Turns old episodes into digests, merges copies and marks contradictions, and waits for it. */
async function reflect(context: CommandContext, options: ReflectOptions): Promise<number> {
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
