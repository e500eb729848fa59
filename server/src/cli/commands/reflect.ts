import { routes } from '@svc-memory/core/contract';
import { CliError } from '../../control/cli-error.ts';
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
async function reflect(context: CommandContext, options: ReflectOptions): Promise<void> {
  return reach(context, async ({ memory, work }) => {
    const { job } = await memory.reflect({
      older_than_days: options.olderThan,
      archive_sources: options.archiveSources,
    });
    const done = await followJob(context.terminal, memory, { id: job.id, title: 'Reflecting', work });
    if (done.status !== 'done') {
      throw new CliError(`The reflection was ${done.status}.`, {
        fix: done.error?.message ?? 'What it had written stays.',
      });
    }
    const of = (name: string) => Number(done.result?.[name] ?? 0);
    context.terminal.out(
      `${counted(of('digests'), 'digest')} of ${counted(of('episodes'), 'episode')}; ${counted(of('merged'), 'copy', 'copies')} merged, ${counted(of('superseded'), 'memory', 'memories')} superseded.`,
    );
  });
}
