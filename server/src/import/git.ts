import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitSource, IncomingFile } from '@svc-memory/core';
import { invalid, SvcError } from '@svc-memory/core/contract';
import {
  IMPORT_LIMITS,
  isLiteralAddress,
  parseTarget,
  removeWhenFree,
  resolveTarget,
  shownName,
  TargetError,
  type TargetPolicy,
} from '@svc-memory/core/server';
import { makeGitFolder } from './git-folder.ts';
import { readObjects, type TreeEntry } from './git-objects.ts';

const TIMEOUT_MS = 120_000;
const WATCH_MS = 200;
const STDERR_CHARACTERS = 2_000;
/** What git may allocate at once: a few bytes can be a delta that makes gigabytes. Larger files that are no delta are streamed. */
const OBJECT_MIB = 64;
/**
 * Runs git, and beside it a guard that kills the process group as soon as the other end of file descriptor 3 closes: where this
 * process is killed, nobody would watch what a server sends without end. The shell waits for both, since a process that nobody
 * waits for stays as a zombie where this one is the first of a container.
 */
const WITH_GUARD = [
  '(read -r _ <&3; kill -s KILL -- "-$$") </dev/null >/dev/null 2>&1 & guard=$!',
  'git "$@" 3<&-; code=$?',
  'kill -s KILL "$guard"; wait "$guard" 2>/dev/null; exit "$code"',
].join('\n');
const NOT_FOUND = 127;

const SYMLINK = '120000';
const SUBMODULE = '160000';

/**
 * Fetches the files of a Git repository with the git program, in a folder that is removed afterwards. One commit is
 * fetched without history, nothing is checked out, and no configuration, hook, filter, helper, submodule, redirect or
 * transport but https takes part. git connects to the address that was checked.
 *
 * @throws SvcError `VALIDATION_ERROR` for addresses that may not be fetched and repositories with links; `UNAVAILABLE`
 *   where git is missing or the repository does not answer.
 */
export async function* fetchGit(
  source: GitSource,
  policy: TargetPolicy,
  signal: AbortSignal,
): AsyncGenerator<IncomingFile> {
  const { url, pinned } = await checkUrl(source.url, policy);
  const folder = await makeGitFolder();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const git: Git = { folder, limit, options: [...optionsOf(policy), ...pinned] };
  try {
    await run(git, ['init', '--quiet', '--bare', '--template=', '.']);
    // After `--` nothing is an option, whatever the address or the branch begins with.
    const fetching = [
      'fetch',
      '--quiet',
      '--depth=1',
      '--no-tags',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
    ];
    await run(git, [...fetching, '--', url.href, `${source.ref ?? 'HEAD'}:refs/import`], watchSize);
    const listing = await run(git, [
      'ls-tree',
      '-r',
      '-z',
      '--full-tree',
      'refs/import',
      '--',
      ...pathsOf(source),
    ]);
    const entries = parseListing(listing);
    if (entries.length === 0) throw invalid('git.path', 'names nothing in this repository');
    yield* readObjects(start(git, ['cat-file', '--batch']), entries, IMPORT_LIMITS.bytes);
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted)
      throw new SvcError('UNAVAILABLE', `The repository was not fetched within ${TIMEOUT_MS / 1_000} s.`);
    throw error;
  } finally {
    await removeWhenFree(folder);
  }
}

async function checkUrl(text: string, policy: TargetPolicy) {
  try {
    const url = parseTarget(text, policy);
    const addresses = await resolveTarget(url.hostname, policy).catch((error: unknown) => {
      throw error instanceof TargetError
        ? error
        : new TargetError('has no address: the host name is not known');
    });
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    const list = addresses.map(({ address, family }) => (family === 6 ? `[${address}]` : address)).join(',');
    // A name may answer otherwise when git asks: it does not ask.
    const pinned = ['-c', `http.curloptResolve=${url.hostname}:${port}:${list}`];
    return { url, pinned: isLiteralAddress(url) ? [] : pinned };
  } catch (error) {
    if (error instanceof TargetError) throw invalid('git.url', error.message);
    throw error;
  }
}

interface Git {
  readonly folder: string;
  readonly limit: AbortSignal;
  readonly options: readonly string[];
}

function optionsOf({ allowPrivate }: TargetPolicy): string[] {
  const settings = [
    'protocol.allow=never',
    'protocol.https.allow=always',
    ...(allowPrivate ? ['protocol.http.allow=always'] : []),
    'http.followRedirects=false',
    'http.proxy=',
    'credential.helper=',
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.bigFileThreshold=1m',
    'pack.threads=1',
    'fetch.fsckObjects=true',
    'transfer.bundleURI=false',
    'gc.auto=0',
    'maintenance.auto=false',
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}

/** Starts git at the head of a process group: the helpers that it starts would outlive it. */
function start({ folder, limit, options }: Git, args: readonly string[]): ChildProcessWithoutNullStreams {
  limit.throwIfAborted();
  const given = [...options, ...args];
  // Windows has neither this shell nor groups, and gives the helpers of what is detached a window each.
  const hasGroups = process.platform !== 'win32';
  const [program, all] = hasGroups ? ['/bin/sh', ['-c', WITH_GUARD, 'git', ...given]] : ['git', given];
  const child = spawn(program, all, {
    cwd: folder,
    detached: hasGroups,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: {
      // Where programs are found on this machine.
      PATH: process.env.PATH,
      HOME: folder,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: 'true',
      GIT_PROTOCOL_FROM_USER: '0',
      // A path is a name: one may begin with `:` or hold `*`.
      GIT_LITERAL_PATHSPECS: '1',
      GIT_ALLOC_LIMIT: `${OBJECT_MIB}m`,
    },
  });
  const stop = () => kill(child);
  limit.addEventListener('abort', stop);
  const [, , , guard] = child.stdio;
  child.once('exit', () => guard?.destroy());
  child.once('close', () => limit.removeEventListener('abort', stop));
  return child;
}

/** Ends git and its helpers. */
function kill(child: ChildProcess): void {
  // It was not started, as where git is missing.
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All have ended, or the system knows no groups.
    child.kill('SIGKILL');
  }
}

/** Runs git to its end and answers what it printed. */
async function run(
  git: Git,
  args: readonly string[],
  watch?: (git: Git, stop: () => void) => () => void,
): Promise<string> {
  const child = start(git, args);
  child.stdin.end();
  let tooLarge = false;
  const unwatch = watch?.(git, () => {
    tooLarge = true;
    kill(child);
  });
  const out: string[] = [];
  let length = 0;
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out.push(text);
    length += text.length;
    if (length > IMPORT_LIMITS.files * 2_000) {
      tooLarge = true;
      kill(child);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err = `${err}${text}`.slice(-STDERR_CHARACTERS);
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (tooLarge)
      throw new SvcError('PAYLOAD_TOO_LARGE', `The repository is larger than ${IMPORT_LIMITS.bytes} bytes.`);
    if (code === NOT_FOUND) throw missing();
    if (code !== 0) throw explain(args[0], err);
    return out.join('');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw missing();
    throw error;
  } finally {
    unwatch?.();
  }
}

function missing(): SvcError {
  return new SvcError('UNAVAILABLE', 'The program git is missing on the machine of this service.');
}

/** git has no limit for the size of a fetch: this stops a larger one. */
function watchSize({ folder }: Git, stop: () => void): () => void {
  const timer = setInterval(async () => {
    if ((await sizeOf(folder).catch(() => 0)) > IMPORT_LIMITS.bytes) stop();
  }, WATCH_MS);
  return () => clearInterval(timer);
}

async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      size += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return size;
}

/** Whether curl, by which git speaks https, found no server there, or one that ended the connection before it said anything. */
const NOBODY =
  /failed to connect|could(?:n't| not) connect|could not resolve|timed out|connection (?:refused|reset)|empty reply|recv failure/i;
const UNTRUSTED = /SSL|TLS|certificate/i;

/** The output of git may quote a foreign server, so the error is worded here. */
function explain(command: string | undefined, output: string): SvcError {
  // The address that it quotes may hold any words.
  const err = output.replace(/https?:[^\s']*/gi, '');
  if (command !== 'fetch') return new SvcError('UNAVAILABLE', 'The repository could not be read.');
  if (/attempting to allocate \d+ over limit/.test(err)) {
    return new SvcError(
      'PAYLOAD_TOO_LARGE',
      `The repository holds an object that takes more than ${OBJECT_MIB} MiB of memory.`,
    );
  }
  if (/fsck error/.test(err))
    return invalid('git.url', 'holds what Git takes for damaged or hostile (git fsck)');
  // What is fetched where the source names no branch.
  if (/couldn't find remote ref HEAD$/im.test(err))
    return invalid('git.url', 'holds no files yet, or is no repository but another page');
  if (/couldn't find remote ref/i.test(err))
    return invalid('git.ref', 'is no branch or tag of this repository');
  if (/terminal prompts disabled|could not read Username|Authentication failed|error: 40[13]/i.test(err))
    return invalid('git.url', 'is no public repository');
  if (/not found|error: 404/i.test(err)) return invalid('git.url', 'is no repository');
  if (/redirect|error: 30\d/i.test(err))
    return invalid('git.url', 'redirects elsewhere; give the final address');
  if (/transport '.*' not allowed/i.test(err)) return invalid('git.url', 'must be an https address');
  const [, status] = /error: (5\d\d)/.exec(err) ?? [];
  return new SvcError('UNAVAILABLE', `The repository could not be fetched: ${failureOf(err, status)}.`);
}

function failureOf(err: string, status: string | undefined): string {
  if (status !== undefined) return `its server answers with an error of its own (${status}); try again later`;
  if (NOBODY.test(err)) return 'no server answers at its address';
  if (UNTRUSTED.test(err))
    return 'its server cannot be reached securely: its certificate is not trusted, or it speaks no TLS';
  return 'the server does not answer as Git does';
}

function parseListing(listing: string): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (const line of listing.split('\0')) {
    const [, mode, object = '', path = ''] = /^(\d{6}) \w+ ([0-9a-f]{40,64})\t(.*)$/s.exec(line) ?? [];
    if (mode === SYMLINK) {
      const name = shownName(path);
      throw invalid('git.path', `holds a symbolic link (${name}); links are not followed`);
    }
    if (mode === undefined || mode === SUBMODULE) continue;
    if (entries.length >= IMPORT_LIMITS.files) {
      throw new SvcError('PAYLOAD_TOO_LARGE', `The repository holds more than ${IMPORT_LIMITS.files} files.`);
    }
    entries.push({ path, object });
  }
  return entries;
}

function pathsOf({ path = '' }: GitSource): string[] {
  const clean = path.replace(/^(\.?\/)+|\/+$/g, '');
  if (clean.split('/').includes('..') || /[\p{Cc}\\]/u.test(clean)) {
    throw invalid('git.path', 'must be a path within the repository');
  }
  return clean === '' || clean === '.' ? [] : [clean];
}
