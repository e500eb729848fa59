import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { CREDENTIALS_FILE } from './credentials.ts';

/** The command line of a hook. */
export interface HookOptions {
  readonly framework: string;
  /** Event name, for hosts that pass none on stdin. */
  readonly event: string | undefined;
  /** Folder of `SVC.md`, the spool and what hooks remember; default `~/.svc`. */
  readonly home: string;
  /** Credentials files in the order they are tried. */
  readonly credentials: readonly string[];
  /** The working-memory file that is synced where it exists; default `WORKING.md` in `home`. */
  readonly working: string;
  readonly transcript: string | undefined;
  readonly session: string | undefined;
  readonly prompt: string | undefined;
}

/**
 * Reads `<framework> [event] [--home <folder>] [--credentials <file>] [--working <file>] [--transcript <file>] [--session <id>]
 * [--prompt <text>]`.
 */
export function readOptions(args: readonly string[]): HookOptions {
  const named = new Map<string, string>();
  const plain: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const [argument = '', next] = args.slice(index, index + 2);
    if (argument.startsWith('--') && next !== undefined) {
      named.set(argument.slice(2), next);
      index += 1;
    } else {
      plain.push(argument);
    }
  }
  const home = resolve(named.get('home') ?? join(homedir(), '.svc'));
  const credentials = named.get('credentials');
  const transcript = named.get('transcript');
  return {
    framework: plain[0] ?? '',
    event: plain[1],
    home,
    credentials: [...(credentials === undefined ? [] : [resolve(credentials)]), join(home, CREDENTIALS_FILE)],
    working: resolve(named.get('working') ?? join(home, 'WORKING.md')),
    transcript: transcript === undefined ? undefined : resolve(transcript),
    session: named.get('session'),
    prompt: named.get('prompt'),
  };
}
