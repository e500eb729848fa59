import { fileURLToPath } from 'node:url';

/** The script that every host runs; the same file from the sources and from the build. */
export const HOOK_SCRIPT = fileURLToPath(new URL('../../dist/svc-hook.js', import.meta.url));

/** Our entries in settings are those that run this script, in whatever folder. */
const OURS = /\bsvc-hook\.js\b/;

export interface CommandParts {
  readonly framework: string;
  readonly home: string;
  readonly credentials: string;
}

/** The command line for a host's settings; it holds paths and no key. */
export function hookCommand({ framework, home, credentials }: CommandParts, platform: string): string {
  const parts = ['node', HOOK_SCRIPT, framework, '--home', home, '--credentials', credentials];
  return parts.map((part) => quote(part, platform)).join(' ');
}

/** Whether a value from settings, whatever its shape, runs our script. */
export function isOurs(entry: unknown): boolean {
  return OURS.test(JSON.stringify(entry) ?? '');
}

/** Quotes for `sh`; on Windows for `cmd`, PowerShell and Git Bash alike, none of which minds forward slashes. */
function quote(part: string, platform: string): string {
  const path = platform === 'win32' ? part.replaceAll('\\', '/') : part;
  if (/^[\w@%+=:,./-]+$/.test(path)) return path;
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}
