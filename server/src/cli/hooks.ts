import { INSTALLABLE, installHooks, SettingsError, uninstallHooks } from '@svc-memory/hooks';
import { Argument, type Command } from 'commander';
import { CliError, EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { installationOf, type PlaceOptions } from './hooks-place.ts';
import { hooksStatus } from './hooks-status.ts';

type MakeAction = <Arguments extends unknown[]>(
  command: (context: CommandContext, ...args: Arguments) => Promise<number>,
) => (...args: Arguments) => Promise<void>;

/** Adds `svc hooks` to the program. */
export function addHooks(program: Command, action: MakeAction, examples: (lines: string[]) => string): void {
  const hooks = program
    .command('hooks')
    .description(
      'Connect agent frameworks: their memory at the start of a session, nothing lost at a compaction',
    )
    .addHelpText(
      'after',
      examples(['svc hooks install claude-code', 'svc hooks install cursor --dir .', 'svc hooks status']),
    );
  const framework = () => new Argument('<framework>', 'Agent framework').choices(INSTALLABLE);
  const dir = ['--dir <folder>', 'One project, in place of all of yours'] as const;
  hooks
    .command('install')
    .description("Add the hooks to a framework's settings; everything else in them stays as it is")
    .addArgument(framework())
    .option(...dir)
    .action(action(install));
  hooks
    .command('uninstall')
    .description("Take the hooks out of a framework's settings; what they saved stays")
    .addArgument(framework())
    .option(...dir)
    .action(action(uninstall));
  hooks
    .command('status')
    .description('Show the hooks, and the proof that they fire: the last flushes and deliveries')
    .option(...dir)
    .option('--json', 'Print JSON')
    .action(action(hooksStatus));
}

async function install({ env, terminal }: CommandContext, framework: string, { dir }: PlaceOptions) {
  const { files, changed, notes } = refusing(() => installHooks(framework, installationOf(env, dir)));
  terminal.out(
    changed ? `Installed the hooks in ${files.join(' and ')}` : `The hooks are in ${files.join()} already.`,
  );
  for (const note of notes) terminal.err(note);
  if (env.SVC_API_KEY) {
    terminal.err('No key was written: the framework must run with SVC_API_KEY and SVC_API_URL set, as now.');
  }
  return EXIT.ok;
}

async function uninstall({ env, terminal }: CommandContext, framework: string, { dir }: PlaceOptions) {
  const { files, changed } = refusing(() => uninstallHooks(framework, installationOf(env, dir)));
  terminal.out(
    changed ? `Removed the hooks${files.map((file) => ` from ${file}`)}` : `There are no hooks in ${files}.`,
  );
  return EXIT.ok;
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SettingsError) throw new CliError(error.message, { cause: error });
    throw error;
  }
}
