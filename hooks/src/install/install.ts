import { existsSync, rmSync } from 'node:fs';
import { readOwnFile } from '../files/plain-file.ts';
import { makePrivateFolder } from '../files/write-file.ts';
import { type CommandParts, HOOK_SCRIPT, hookCommand, isOurs, namesPath } from './command.ts';
import type { FileHost } from './file-host.ts';
import { FormerParts } from './former-parts.ts';
import { genericHost } from './generic-script.ts';
import { type Host, hookHome, hosts, type InstallScope } from './hosts.ts';
import { JsonFile, SettingsError } from './json-file.ts';
import { openCodeHost } from './opencode-plugin.ts';

/** Where hooks are installed, and which service they speak to. */
export interface Installation extends InstallScope {
  /** File with the address and key of the service; it need not exist yet. */
  readonly credentials: string;
  readonly platform: string;
}

/** What an installation came to. */
export interface InstallResult {
  /** Files that name the hooks. */
  readonly files: readonly string[];
  readonly changed: boolean;
  readonly notes: readonly string[];
}

const FILE_HOSTS: readonly FileHost[] = [openCodeHost, genericHost];

/** Names of what can be installed. */
export const INSTALLABLE: readonly string[] = [...hosts, ...FILE_HOSTS].map(({ id }) => id);

/**
 * Adds our hooks to a host's settings, once, and leaves everything else in them as it is.
 *
 * @throws SettingsError where the settings cannot be changed safely.
 */
export function installHooks(framework: string, installation: Installation): InstallResult {
  requireFiles();
  const home = hookHome(installation);
  const parts: CommandParts = { framework, home, credentials: installation.credentials };
  makePrivateFolder(home);
  const fileHost = FILE_HOSTS.find(({ id }) => id === framework);
  if (fileHost) {
    const notes = [...fileHost.notes, ...sharedFolder(framework, installation)];
    return { files: fileHost.write(parts, installation), changed: true, notes };
  }
  const host = hostOf(framework);
  const file = new JsonFile(host.file(installation));
  const entry = host.entry(hookCommand(parts, installation.platform));
  requireOneList(file);
  const former = new FormerParts(home, file.path);
  const own = ownParts(file, host, former.read());
  for (const [name, value] of Object.entries(host.preamble ?? {})) file.add([name], value);
  for (const event of host.events) addEntry(file, event, entry);
  // What an earlier release hooked and this one does not.
  for (const event of eventsOf(file)) if (!host.events.includes(event)) removeEntries(file, event);
  const off = offSwitchOf(host, file);
  const notes = off === undefined ? host.notes : [`${host.name} runs no hooks: set ${off} to false there.`];
  // First: what the settings name already when this fails is told by nothing else.
  former.write(own);
  const changed = file.save();
  return { files: [file.path], changed, notes: [...notes, ...sharedFolder(framework, installation)] };
}

/** What to do where hooks of other hosts in the same folder take another key: those of two agents would mix what both remember. */
function sharedFolder(framework: string, installation: Installation): string[] {
  const others = othersOfFolder(framework, installation);
  if (others.length === 0) return [];
  const folder = hookHome(installation);
  return [
    `The hooks of ${others.join(' and ')} in ${folder} are of another agent: they take its key from another file than ${installation.credentials}. Hooks of one folder share SVC.md and what waits to be sent: install those of each agent in its project, with --dir.`,
  ];
}

/** The hosts with hooks in the same folder that name another file of credentials. */
function othersOfFolder(framework: string, installation: Installation): string[] {
  const { credentials, platform } = installation;
  const commands = [
    ...hosts.map((host) => ({ id: host.id, text: () => commandsIn(host.file(installation)) })),
    ...FILE_HOSTS.map((host) => ({ id: host.id, text: () => textOf(host.files(installation)[0]) })),
  ];
  return commands.flatMap(({ id, text }) => {
    const found = id === framework ? '' : text();
    return found === '' || namesPath(found, credentials, platform) ? [] : [id];
  });
}

/** Our commands in settings; settings that cannot be read are no matter of another host. */
function commandsIn(path: string): string {
  try {
    const file = existsSync(path) ? new JsonFile(path) : undefined;
    const ours = file ? eventsOf(file).flatMap((event) => entriesOf(file, event).filter(isOurs)) : [];
    return ours.length > 0 ? JSON.stringify(ours) : '';
  } catch {
    return '';
  }
}

function textOf(path = ''): string {
  return readOwnFile(path) ?? '';
}

/** Takes our hooks out again; what hooks have saved stays. */
export function uninstallHooks(framework: string, installation: Installation): InstallResult {
  const fileHost = FILE_HOSTS.find(({ id }) => id === framework);
  if (fileHost) {
    const files = fileHost.files(installation);
    const present = files.filter((file) => existsSync(file));
    for (const file of present) rmSync(file, { force: true });
    const changed = present.length > 0;
    return { files: changed ? present : files.slice(0, 1), changed, notes: [] };
  }
  const host = hostOf(framework);
  const file = new JsonFile(host.file(installation));
  const hooked = eventsOf(file).filter((event) => entriesOf(file, event).some(isOurs));
  if (hooked.length === 0) return { files: [file.path], changed: false, notes: [] };
  const former = new FormerParts(hookHome(installation), file.path);
  const own = former.read();
  for (const event of hooked) removeEntries(file, event, { keepList: own.includes(listOf(event)) });
  if (eventsOf(file).length === 0 && !own.includes('hooks')) {
    file.remove(['hooks']);
    const preamble = Object.keys(host.preamble ?? {}).filter((name) => !own.includes(name));
    const left = Object.keys(Object(file.get([])));
    if (left.every((name) => preamble.includes(name))) for (const name of left) file.remove([name]);
  }
  former.forget();
  return { files: [file.path], changed: file.save(), notes: [] };
}

/** Hooks that are installed at a place. */
export interface InstalledHooks {
  readonly framework: string;
  readonly file: string;
  readonly events: readonly string[];
  /** Events that should be hooked and are not. */
  readonly missing: readonly string[];
  /** False where the settings name a script that is not there any more. */
  readonly scriptExists: boolean;
  /** Name of the setting that switches them off; undefined where they run. */
  readonly off: string | undefined;
}

/** Looks for our hooks in the settings of every host. */
export function findHooks(place: InstallScope): InstalledHooks[] {
  const found = hosts.flatMap((host) => {
    const path = host.file(place);
    if (!existsSync(path)) return [];
    const file = new JsonFile(path);
    const events = eventsOf(file).filter((event) => entriesOf(file, event).some(isOurs));
    if (events.length === 0) return [];
    const missing = host.events.filter((event) => !events.includes(event));
    const all = JSON.stringify(file.get(['hooks']));
    const scriptExists =
      existsSync(HOOK_SCRIPT) && all.includes(JSON.stringify(HOOK_SCRIPT.replaceAll('\\', '/')).slice(1, -1));
    return [{ framework: host.id, file: path, events, missing, scriptExists, off: offSwitchOf(host, file) }];
  });
  const inFiles = FILE_HOSTS.flatMap((host) => {
    const [file = ''] = host.files(place);
    if (!existsSync(file)) return [];
    const scriptExists = existsSync(host.script);
    return [{ framework: host.id, file, events: [], missing: [], scriptExists, off: undefined }];
  });
  return [...found, ...inFiles];
}

/** The setting by which the host's hooks are switched off in this file, where they are. */
function offSwitchOf({ offSwitch }: Host, file: JsonFile): string | undefined {
  return offSwitch !== undefined && file.get([offSwitch]) === true ? offSwitch : undefined;
}

function hostOf(framework: string): Host {
  const host = hosts.find(({ id }) => id === framework);
  if (!host)
    throw new SettingsError(`There are no hooks for "${framework}". Known: ${INSTALLABLE.join(', ')}.`);
  return host;
}

/**
 * Yarn Plug'n'Play keeps packages in archives, which only a Node that Yarn has started can read; a host starts its own.
 *
 * @throws SettingsError there.
 */
function requireFiles(): void {
  if (process.versions.pnp === undefined) return;
  throw new SettingsError(
    "A host cannot run hooks from Yarn Plug'n'Play. Set nodeLinker: node-modules in .yarnrc.yml and install again, or install svc-memory elsewhere by npm.",
  );
}

/** @throws SettingsError where hooks cannot be added so that the host reads them. */
function requireOneList(file: JsonFile): void {
  const hooks = file.get(['hooks']);
  if (hooks !== undefined && (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks))) {
    throw new SettingsError(
      `hooks in ${file.path} is no object. Mend it, then try again; nothing was changed.`,
    );
  }
  const twice = file.repeated([]) ?? file.repeated(['hooks']);
  if (twice !== undefined) {
    throw new SettingsError(
      `${file.path} has "${twice}" twice, of which hosts read the last one only. Make them one, then try again; nothing was changed.`,
    );
  }
}

/**
 * The parts of the settings that are the user's own, so that they stay where nothing is left in them without our hooks.
 *
 * @param former Those that were so when hooks were installed before: of parts that hold our hooks already, nothing else tells.
 */
function ownParts(file: JsonFile, { preamble = {} }: Host, former: readonly string[]): string[] {
  const events = eventsOf(file);
  const withoutOurs = events.filter((event) => !entriesOf(file, event).some(isOurs));
  const isInstalled = withoutOurs.length < events.length;
  const around = ['hooks', ...Object.keys(preamble)].filter((name) => file.get([name]) !== undefined);
  return [...new Set([...(isInstalled ? former : around), ...withoutOurs.map(listOf)])];
}

/** The name of an event's list among the parts of settings. */
function listOf(event: string): string {
  return `hooks.${event}`;
}

function eventsOf(file: JsonFile): string[] {
  const hooks = file.get(['hooks']);
  return typeof hooks === 'object' && hooks !== null ? Object.keys(hooks) : [];
}

function entriesOf(file: JsonFile, event: string): unknown[] {
  const entries = file.get(['hooks', event]);
  return Array.isArray(entries) ? entries : [];
}

function addEntry(file: JsonFile, event: string, entry: object): void {
  const present = file.get(['hooks', event]);
  if (present !== undefined && !Array.isArray(present)) {
    throw new SettingsError(
      `hooks.${event} in ${file.path} is no list. Mend it, then try again; nothing was changed.`,
    );
  }
  const entries = entriesOf(file, event);
  const ours = entries.flatMap((value, index) => (isOurs(value) ? [index] : []));
  const [first] = ours;
  // A single entry of ours that is up to date keeps its place.
  if (ours.length === 1 && first !== undefined && JSON.stringify(entries[first]) === JSON.stringify(entry))
    return;
  removeEntries(file, event, { keepList: true });
  if (present === undefined) file.add(['hooks', event], [entry]);
  else file.append(['hooks', event], entry);
}

/** Removes our commands; a group that others share with us keeps theirs. */
function removeEntries(file: JsonFile, event: string, { keepList = false } = {}): void {
  const entries = entriesOf(file, event);
  const before = entries.length;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (!isOurs(entry)) continue;
    const group = (entry as { hooks?: unknown }).hooks;
    const commands = Array.isArray(group) ? group : [];
    if (commands.length === 0 || commands.every(isOurs)) {
      file.remove(['hooks', event, index]);
      continue;
    }
    for (let place = commands.length - 1; place >= 0; place -= 1) {
      if (isOurs(commands[place])) file.remove(['hooks', event, index, 'hooks', place]);
    }
  }
  if (!keepList && before > 0 && entriesOf(file, event).length === 0) file.remove(['hooks', event]);
}
