import { realpath, stat, watch } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { filePathProblem, SvcError } from '@svc-memory/core/contract';
import { CliError, EXIT, errorText } from '../../../control/cli-error.ts';
import { reach } from '../../access/reach.ts';
import {
  argument,
  type CommandContext,
  type CommandGroup,
  defineCommand,
  option,
} from '../../console/command.ts';
import { STOP_SIGNALS } from '../../console/stop-signal.ts';
import { counted, oneLine } from '../../console/terminal.ts';
import type { Done } from './done.ts';
import { type SyncSides, syncFiles } from './sync-files.ts';

interface SyncOptions {
  readonly path: string;
  readonly watch?: true;
  readonly dryRun?: true;
}

const sync = defineCommand({
  name: 'sync',
  description: 'Make a folder and the files of the memory equal, both ways',
  arguments: [argument('<folder>', 'Folder of text files, such as the auto-memory of Claude Code')],
  options: [
    option('--path <path>', 'Folder of the memory').default('/memories'),
    option('--watch', 'Go on: sync what changes on either side, until Ctrl-C'),
    option('--dry-run', 'Only show what would be done'),
  ],
  helpText: () => `
The side that has changed wins over the one that has not. Where both have, the file gets what the memory
says, and what was here is kept beside it as NAME.conflict-…; a changed file wins over a deleted one. What is
deleted in the memory is restorable for 30 days. Links, hidden, binary and empty files, and those longer
than 32,768 characters stay out. Files in /memories/soul and /memories/identity wait for your human.`,
  examples: [
    'npx svc-memory files sync notes --dry-run',
    'npx svc-memory files sync ~/.claude/projects/-home-ada-orchard/memory --path /memories/orchard --watch',
  ],
  run: syncFolder,
});

export default {
  name: 'files',
  description: 'The memory as files: keep a folder equal to it',
  examples: ['npx svc-memory files sync notes'],
  commands: [sync],
} satisfies CommandGroup;

async function syncFolder(
  context: CommandContext,
  folder: string,
  { path, watch: goesOn, dryRun = undefined }: SyncOptions,
): Promise<void> {
  if (goesOn && dryRun) {
    throw new CliError('--dry-run looks once, and --watch goes on.', {
      fix: 'Leave one of them out.',
      exitCode: EXIT.usage,
    });
  }
  const memoryPath = requirePath(path);
  const root = await requireFolder(folder);
  return reach(context, async ({ kind, memory }) => {
    const sides = { memory, root, path: memoryPath };
    if (!goesOn) return syncOnce(context, sides, dryRun === true);
    if (kind === 'engine') {
      throw new CliError('--watch needs the running service.', {
        fix: 'Start it with `npx svc-memory serve`, or leave --watch out.',
      });
    }
    return syncOnAndOn(context, sides);
  });
}

function requirePath(path: string): string {
  const problem = filePathProblem(path);
  if (problem === undefined) return path.replace(/\/$/, '');
  throw new CliError(`--path ${problem}.`, { fix: 'As in --path /memories/orchard', exitCode: EXIT.usage });
}

async function requireFolder(folder: string): Promise<string> {
  if (folder.trim() === '') {
    throw new CliError('The folder has an empty name.', { fix: 'Name a folder.', exitCode: EXIT.usage });
  }
  const place = folder.startsWith('~/') ? join(homedir(), folder.slice(2)) : resolve(folder);
  const found = await realpath(place).catch(() => undefined);
  if (found === undefined) {
    throw new CliError(`There is no folder ${place}.`, {
      fix: `Make it: mkdir -p ${place}`,
      exitCode: EXIT.usage,
    });
  }
  if ((await stat(found)).isDirectory()) return found;
  throw new CliError(`${place} is no folder.`, { fix: 'Name the folder it is in.', exitCode: EXIT.usage });
}

async function syncOnce(context: CommandContext, sides: SyncSides, dryRun: boolean): Promise<void> {
  const { terminal } = context;
  const counts = new Map<Done['what'], number>();
  await passOver(sides, dryRun, (done) => {
    counts.set(done.what, (counts.get(done.what) ?? 0) + 1);
    terminal.out(lineOf(done));
  });
  const told = [...counts].map(([what, count]) => `${counted(count, 'file')} ${what}`).join(', ');
  terminal.err(`${dryRun ? 'It would be: ' : ''}${told || 'Both are equal'}.`);
}

async function passOver(sides: SyncSides, dryRun: boolean, tell: (done: Done) => void): Promise<void> {
  try {
    await syncFiles(sides, { dryRun, tell });
  } catch (error) {
    if (!isOfFileSystem(error)) throw error;
    throw new CliError(`${sides.root} cannot be synced: ${error.message}.`, {
      fix: 'What was done stays done. Mend that, and sync again.',
      cause: error,
    });
  }
}

function isOfFileSystem(error: unknown): error is Error {
  return (
    error instanceof RangeError ||
    (error instanceof Error && 'syscall' in error && !(error instanceof SvcError))
  );
}

/** Failures of a system that is short of something for a while, or of a file that went away while it was looked at. */
const PASSING_FILE_ERRORS = [
  ...['EAGAIN', 'EBUSY', 'EINTR', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EDQUOT', 'ESTALE'],
  ...['ETIMEDOUT', 'ETXTBSY', 'ENOENT', 'ENOTDIR', 'ENOTEMPTY'],
];

/** Whether a failure may pass without anybody who mends it. */
function mayPass(error: unknown): boolean {
  if (error instanceof SvcError) {
    return ['UNAVAILABLE', 'INTERNAL', 'RATE_LIMITED', 'QUOTA_EXCEEDED'].includes(error.code);
  }
  const cause = error instanceof CliError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && PASSING_FILE_ERRORS.includes(String(cause.code));
}

function lineOf({ what, path, note }: Done): string {
  return oneLine(`${what.padEnd(13)} ${path}${note === undefined ? '' : `: ${note}`}`);
}

// Changes here are told by the system; of those there the service is asked.
const ASK_MS = 3_000;
const SETTLE_MS = 200;

async function syncOnAndOn({ terminal }: CommandContext, sides: SyncSides): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  for (const signal of STOP_SIGNALS) process.once(signal, end);
  const told = new Map<string, string>();
  let trouble = '';
  terminal.err(`Keeping ${sides.root} and ${sides.path} equal. Ctrl-C ends it.`);
  try {
    while (!ended.signal.aborted) {
      try {
        await passOver(sides, false, (done) => {
          const line = lineOf(done);
          // What stays as it is, is told once.
          if (told.get(done.path) !== line || isNews(done)) terminal.out(line);
          told.set(done.path, line);
        });
        if (trouble !== '') terminal.err('It goes on.');
        trouble = '';
      } catch (error) {
        await requireFolder(sides.root);
        if (!mayPass(error)) throw error;
        const message = errorText(error);
        if (trouble !== message) terminal.err(`${message} Trying again; nothing is lost meanwhile.`);
        trouble = message;
      }
      await nextChange(sides.root, ended.signal);
    }
  } finally {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, end);
  }
}

function isNews({ what }: Done): boolean {
  return !['left out', 'waits', 'again'].includes(what);
}

/** Resolves soon after something has changed in a folder, and after a while anyway. */
async function nextChange(root: string, ended: AbortSignal): Promise<void> {
  const over = AbortSignal.any([ended, AbortSignal.timeout(ASK_MS)]);
  try {
    for await (const _ of watch(root, { recursive: true, signal: over })) {
      await wait(SETTLE_MS, undefined, { signal: ended });
      return;
    }
  } catch {
    // Where the system tells of no changes, the time alone decides.
    if (!over.aborted) await wait(ASK_MS, undefined, { signal: ended }).catch(() => {});
  }
}
