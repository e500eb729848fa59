import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeFolders, writeFileAtomically } from '@svc-memory/hooks';
import { type Config, type Environment, loadConfig } from '../../../config/config.ts';
import { type Variable, variables } from '../../../config/variables.ts';
import { CliError } from '../../../control/cli-error.ts';
import { checkConfig } from '../../access/check-config.ts';
import { findService } from '../../access/control.ts';
import { homeOf } from '../../access/home.ts';
import { type CommandContext, type CommandGroup, defineCommand } from '../../console/command.ts';
import { columns } from '../../console/terminal.ts';
import { launchd } from './launchd.ts';
import type { ServiceManager } from './service-manager.ts';
import { systemd } from './systemd.ts';

const PROGRAM = fileURLToPath(new URL('../../../../bin/svc.js', import.meta.url));
/** Milliseconds: a first start makes the database. */
const START_PATIENCE = 60_000;
const POLL = 200;
/** What clients read, and the service does not. */
const OF_CLIENTS: readonly string[] = ['SVC_API_URL', 'SVC_API_KEY'];

export default {
  name: 'autostart',
  description: 'Start the service at each login, and again after a crash: by systemd or launchd',
  examples: [
    'npx svc-memory autostart install',
    'SVC_DATA_DIR=~/memory npx svc-memory autostart install',
    'npx svc-memory autostart status',
  ],
  commands: [
    defineCommand({
      name: 'install',
      description: 'Start the service now and at each login, with the settings of now',
      run: install,
    }),
    defineCommand({
      name: 'uninstall',
      description: 'Stop it and start it no more; what it has stored stays',
      run: uninstall,
    }),
    defineCommand({ name: 'status', description: 'Show whether it is installed and runs', run: status }),
  ],
} satisfies CommandGroup;

async function install({ env, terminal }: CommandContext): Promise<void> {
  const manager = managerOf(env);
  const config = loadConfig(env);
  checkConfig(config);
  const environment = settingsFor(env, config);
  if (await findService(config.dataDir)) {
    throw new CliError(`The service runs already on ${config.dataDir}.`, {
      fix: 'Stop it, then try again: it is started then.',
    });
  }
  // One that is installed already would be in the way of launchd. What stops nothing does no harm.
  if (existsSync(manager.file)) await tryAll(manager, env, manager.stop[0], () => {});
  makeFolders(dirname(manager.file), 0o755);
  const command = [process.execPath, PROGRAM, 'serve'];
  writeFileAtomically(manager.file, manager.describe({ command, environment, folder: homeOf(env) }), {
    durable: false,
  });
  try {
    for (const [program, ...args] of manager.start) await run(manager, env, program, args);
  } catch (error) {
    rmSync(manager.file, { force: true });
    throw error;
  }
  if (!(await starts(config.dataDir))) {
    throw new CliError(`The service did not start within a minute; ${manager.name} goes on trying.`, {
      fix: `See why: ${manager.log}`,
    });
  }
  terminal.out(`The service runs on ${config.dataDir}, now and from each login on (${manager.file}).`);
  if (manager.note) terminal.err(manager.note);
  terminal.err(`Its log: ${manager.log}`);
}

async function uninstall({ env, terminal }: CommandContext): Promise<void> {
  const manager = managerOf(env);
  if (!existsSync(manager.file)) {
    terminal.out('There is no autostart.');
    return;
  }
  const [before, after] = manager.stop;
  const say = ({ message }: Error) => terminal.err(`svc: ${message}`);
  // The file is what starts it at the next login, whatever becomes of the service that runs.
  await tryAll(manager, env, before, say);
  rmSync(manager.file, { force: true });
  await tryAll(manager, env, after, say);
  terminal.out(`${manager.file} is removed: nothing starts the service by itself any more.`);
}

async function status({ env, terminal }: CommandContext): Promise<void> {
  const manager = managerOf(env);
  if (!existsSync(manager.file)) {
    terminal.out('There is no autostart.');
    terminal.err('Install it: npx svc-memory autostart install');
    return;
  }
  const [program, ...args] = manager.state;
  // It ends otherwise than with 0 where the service does not run.
  const { stdout = '', stderr = '' } = await promisify(execFile)(program, args, { env }).catch(
    (error: { stdout?: string; stderr?: string }) => error,
  );
  const state = /^\s*(?:state = )?(\w[\w ]*)$/m.exec(stdout)?.[1] ?? stderr.trim();
  terminal.out(
    columns([
      ['File', manager.file],
      ['State', `${state} (${manager.name})`],
      ['Log', manager.log],
    ]),
  );
}

function managerOf(env: Environment): ServiceManager {
  if (process.platform === 'linux') return systemd(env);
  if (process.platform === 'darwin') return launchd(env);
  throw new CliError(`svc knows no autostart for ${process.platform}.`, {
    fix: `Let the system run this at your login, as the Task Scheduler of Windows does, with SVC_DATA_DIR set to ${loadConfig(env).dataDir}: "${process.execPath}" "${PROGRAM}" serve`,
  });
}

/** The settings that the service is started with. None of them is a secret: others may read such files, and backups hold them. */
function settingsFor(env: Environment, { dataDir }: Config): Record<string, string> {
  const set = Object.values<Variable>(variables).filter(
    ({ name }) => env[name]?.trim() && !OF_CLIENTS.includes(name),
  );
  const secrets = set.filter(({ secret }) => secret !== undefined).map(({ name }) => name);
  if (secrets.length > 0) {
    throw new CliError(`${secrets.join(', ')} may hold a secret, which the autostart writes into no file.`, {
      fix: 'Unset that, or let the service be started by a unit of your own, with secrets in a file that only it may read.',
    });
  }
  return { ...Object.fromEntries(set.map(({ name }) => [name, env[name] ?? ''])), SVC_DATA_DIR: dataDir };
}

async function run(
  { name }: ServiceManager,
  env: Environment,
  program: string,
  args: readonly string[],
): Promise<void> {
  await promisify(execFile)(program, args, { env }).catch((error: Error & { stderr?: string }) => {
    const said = error.stderr?.trim() || error.message;
    throw new CliError(`${name} refuses: ${said}`, {
      fix: `Nothing is installed. Without ${name}, start the service by hand: npx svc-memory serve`,
      cause: error,
    });
  });
}

async function tryAll(
  manager: ServiceManager,
  env: Environment,
  commands: ServiceManager['start'],
  failed: (error: Error) => void,
): Promise<void> {
  for (const [program, ...args] of commands) await run(manager, env, program, args).catch(failed);
}

async function starts(dataDir: string): Promise<boolean> {
  const end = performance.now() + START_PATIENCE;
  while (!(await findService(dataDir))) {
    if (performance.now() > end) return false;
    await setTimeout(POLL);
  }
  return true;
}
