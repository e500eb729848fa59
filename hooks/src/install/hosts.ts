import { join } from 'node:path';

/** A host whose settings can name our hooks. */
export interface Host {
  readonly id: string;
  readonly name: string;
  /** The settings file of a user, or of one project. */
  file(at: InstallScope): string;
  /** The event names hooked, and the entry of each. */
  readonly events: readonly string[];
  entry(command: string): object;
  /** Other properties that a new file must hold. */
  readonly preamble?: Readonly<Record<string, unknown>>;
  /** Name of the setting that switches all hooks off where it is true. */
  readonly offSwitch?: string;
  /** What the user has to know or do. */
  readonly notes: readonly string[];
}

/** Whose hooks: all of a user's projects, or those of one folder. */
export interface InstallScope {
  readonly userHome: string;
  readonly project: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Folder of `SVC.md` and of what hooks remember: `.svc` in the project, or in the user's home. */
export function hookHome({ project, userHome }: InstallScope): string {
  return join(project ?? userHome, '.svc');
}

// Longer than any hook takes, so that the host never has to end one.
const TIMEOUT_SECONDS = 10;

const SHARED = 'The settings name a path on this machine: keep them out of version control.';

/** Hosts with hooks, in the order they are listed. */
export const hosts: readonly Host[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    file: ({ project, userHome, env }) =>
      project === undefined
        ? join(env.CLAUDE_CONFIG_DIR || join(userHome, '.claude'), 'settings.json')
        : // Not settings.json: that one is shared, and our command names a path on this machine.
          join(project, '.claude', 'settings.local.json'),
    events: ['SessionStart', 'UserPromptSubmit', 'PreCompact', 'PostCompact', 'Stop', 'SessionEnd'],
    entry: (command) => ({ hooks: [{ type: 'command', command, timeout: TIMEOUT_SECONDS }] }),
    offSwitch: 'disableAllHooks',
    notes: ['Start a new session: it begins with the memory injection.'],
  },
  {
    id: 'codex',
    name: 'Codex CLI',
    file: ({ project, userHome, env }) =>
      project === undefined
        ? join(env.CODEX_HOME || join(userHome, '.codex'), 'hooks.json')
        : join(project, '.codex', 'hooks.json'),
    events: ['SessionStart', 'UserPromptSubmit', 'PreCompact', 'PostCompact', 'Stop'],
    entry: (command) => ({ hooks: [{ type: 'command', command, timeout: TIMEOUT_SECONDS }] }),
    notes: ['Codex runs a new hook only once you trust it: open /hooks in Codex.', SHARED],
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    file: ({ project, userHome }) => join(project ?? userHome, '.gemini', 'settings.json'),
    events: ['SessionStart', 'BeforeAgent', 'AfterAgent', 'SessionEnd'],
    entry: (command) => ({
      hooks: [{ name: 'svc-memory', type: 'command', command, timeout: TIMEOUT_SECONDS * 1_000 }],
    }),
    notes: [
      'After a compression the recovery comes with your next prompt.',
      'Gemini CLI runs the hooks of a project only in a folder you trust: see /permissions in Gemini CLI.',
      SHARED,
    ],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    file: ({ project, userHome }) => join(project ?? userHome, '.cursor', 'hooks.json'),
    events: ['sessionStart', 'preCompact', 'stop', 'sessionEnd'],
    entry: (command) => ({ command, timeout: TIMEOUT_SECONDS }),
    preamble: { version: 1 },
    notes: [
      'Cursor lets no hook add text after a compaction: add a rule that says "After a compaction, call svc_boot."',
      SHARED,
    ],
  },
];
