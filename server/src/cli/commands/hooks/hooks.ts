import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { INSTALLABLE, installHooks, SettingsError, uninstallHooks } from '@svc-memory/hooks';
import { CliError, explainUnwritable } from '../../../control/cli-error.ts';
import {
  argument,
  type CommandContext,
  type CommandGroup,
  defineCommand,
  option,
} from '../../console/command.ts';
import { readFileName } from '../../console/read-field.ts';
import { adviceFor, findAll, hookedTwice, installationOf, type PlaceOptions, placesToLook } from './place.ts';
import { hooksStatus } from './status.ts';

const framework = () => argument('<framework>', 'Agent framework').choices(INSTALLABLE);
const dir = () =>
  option('--dir <folder>', 'One project, in place of all of yours').argParser(
    readFileName('--dir', 'folder'),
  );

const installCommand = defineCommand({
  name: 'install',
  description: "Add the hooks to a framework's settings; everything else in them stays as it is",
  arguments: [framework()],
  options: [dir()],
  run: install,
});

const uninstallCommand = defineCommand({
  name: 'uninstall',
  description: "Take the hooks out of a framework's settings; what they saved stays",
  arguments: [framework()],
  options: [dir()],
  run: uninstall,
});

const status = defineCommand({
  name: 'status',
  description: 'Show the hooks, and the proof that they fire: the last flushes and deliveries',
  options: [dir(), option('--json', 'Print JSON')],
  run: hooksStatus,
});

export default {
  name: 'hooks',
  description:
    'Connect agent frameworks: their memory at the start of a session, nothing lost at a compaction',
  examples: [
    'npx svc-memory hooks install claude-code',
    'npx svc-memory hooks install cursor --dir /path/to/project',
    'npx svc-memory hooks status',
  ],
  commands: [installCommand, uninstallCommand, status],
} satisfies CommandGroup;

async function install({ env, terminal }: CommandContext, framework: string, { dir }: PlaceOptions) {
  // A mistyped name would become a project in which no framework ever runs.
  if (dir !== undefined && !existsSync(dir)) {
    throw new CliError(`There is no folder ${resolve(dir)}.`, { fix: 'Name that of a project with --dir.' });
  }
  const { files, changed, notes } = refusing(() => installHooks(framework, installationOf(env, dir)));
  terminal.out(
    changed ? `Installed the hooks in ${files.join(' and ')}` : `The hooks are in ${files.join()} already.`,
  );
  for (const note of notes) terminal.err(note);
  if (firesTwice(env, framework, dir)) terminal.err(adviceFor(framework));
  if (env.SVC_API_KEY) {
    terminal.err('No key was written: the framework must run with SVC_API_KEY and SVC_API_URL set, as now.');
  }
}

async function uninstall({ env, terminal }: CommandContext, framework: string, { dir }: PlaceOptions) {
  const { files, changed } = refusing(() => uninstallHooks(framework, installationOf(env, dir)));
  terminal.out(
    changed ? `Removed the hooks from ${files.join(' and ')}` : `There are no hooks in ${files.join()}.`,
  );
}

function firesTwice(env: CommandContext['env'], framework: string, dir: string | undefined): boolean {
  try {
    const ofUser = installationOf(env, undefined);
    const places = dir === undefined ? placesToLook(env, dir) : [installationOf(env, dir), ofUser];
    return hookedTwice(findAll(places)).includes(framework);
  } catch {
    // Other settings that cannot be read are no matter of this installation.
    return false;
  }
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SettingsError) throw new CliError(error.message, { cause: error });
    const { path = '' } = Object(error) as NodeJS.ErrnoException;
    const failed = `The settings in ${dirname(path)} cannot be changed`;
    throw explainUnwritable(error, failed, 'Mend that, then try again.');
  }
}
