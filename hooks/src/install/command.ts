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

/**
 * The command line for a host's settings; it holds paths and no key.
 *
 * @param node The program that runs the script; where it is gone, as after an upgrade, the `node` in the `PATH` does.
 */
export function hookCommand(
  { framework, home, credentials }: CommandParts,
  platform: string,
  node: string = process.execPath,
): string {
  const parts = [HOOK_SCRIPT, framework, '--home', home, '--credentials', credentials];
  return [program(node, platform), ...parts.map((part) => quoteForShell(part, platform))].join(' ');
}

/**
 * A host that was not started from a shell, as by the Dock of macOS, has a `PATH` without what nvm, Homebrew and others install.
 * On Windows installers put `node` into the `PATH` of all, and PowerShell takes a quoted path for a text.
 */
function program(node: string, platform: string): string {
  return platform === 'win32' ? 'node' : `"$(command -v ${quoteForShell(node, platform)} || echo node)"`;
}

/** Whether a value from settings, whatever its shape, runs our script. */
export function isOurs(entry: unknown): boolean {
  return OURS.test(JSON.stringify(entry) ?? '');
}

/** Whether a text with commands of ours names this path: as a command line or a file has it, as such or within JSON. */
export function namesPath(text: string, path: string, platform: string): boolean {
  const written = [path, quoteForShell(path, platform)];
  return [...written, ...written.map((one) => JSON.stringify(one).slice(1, -1))].some((one) =>
    text.includes(one),
  );
}

/**
 * Quotes a path or another part of a command line for `sh`; on Windows for `cmd`, PowerShell and Git Bash alike, none of which
 * minds forward slashes.
 */
export function quoteForShell(part: string, platform: string): string {
  if (platform === 'win32') {
    const path = part.replaceAll('\\', '/');
    // Commas make lists in PowerShell.
    return /^[\w+=:./-]+$/.test(path) ? path : `"${path}"`;
  }
  return /^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`;
}
