import { dirname, resolve } from 'node:path';
import { findHooks, type Installation, type InstalledHooks } from '@svc-memory/hooks';
import { loadConfig } from '../../../config/config.ts';
import { credentialsPath } from '../../access/credentials.ts';
import { homeOf } from '../../access/home.ts';
import type { CommandContext } from '../../console/command.ts';

/** Options that say where hooks are: one project, or, without it, all of a user's. */
export interface PlaceOptions {
  readonly dir?: string;
}

/** Where to look for installed hooks: without `--dir` in the project, and then among those of the user. */
export function placesToLook(env: CommandContext['env'], dir: string | undefined): Installation[] {
  if (dir !== undefined) return [installationOf(env, dir)];
  const ofUser = installationOf(env, undefined);
  return [installationOf(env, findProject(process.cwd(), ofUser)), ofUser];
}

/** The hooks of all places. */
export function findAll(places: readonly Installation[]): InstalledHooks[] {
  // A project in the user's own folder shares some of its files.
  return [...new Map(places.flatMap(findHooks).map((found) => [found.file, found])).values()];
}

/**
 * Hosts whose hooks are in settings of the user and in those of a project: a host fires both, so that a session there begins with
 * two injections.
 */
export function hookedTwice(hooks: readonly InstalledHooks[]): string[] {
  // The scripts of `generic` are called by name.
  const names = hooks.map(({ framework }) => framework).filter((name) => name !== 'generic');
  return [...new Set(names.filter((name, place) => names.indexOf(name) !== place))];
}

/** What to do about a host whose hooks fire twice. */
export function adviceFor(framework: string): string {
  return `The hooks of ${framework} are among yours and in the project: both fire there. Keep one: npx svc-memory hooks uninstall ${framework}, or with --dir.`;
}

/** The nearest folder with hooks, from the working directory upwards and below the user's home; else the working directory. */
function findProject(workingDirectory: string, ofUser: Installation): string {
  for (let folder = workingDirectory; folder !== ofUser.userHome; folder = dirname(folder)) {
    if (findHooks({ ...ofUser, project: folder }).length > 0) return folder;
    if (folder === dirname(folder)) break;
  }
  return workingDirectory;
}

/** Where the hooks of a command line belong. */
export function installationOf(env: CommandContext['env'], dir: string | undefined): Installation {
  return {
    userHome: homeOf(env),
    project: dir === undefined ? undefined : resolve(dir),
    env,
    credentials: credentialsPath(loadConfig(env).dataDir),
    platform: process.platform,
  };
}
