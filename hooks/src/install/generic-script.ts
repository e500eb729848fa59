import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../files/write-file.ts';
import { GENERIC_EVENTS } from '../frameworks/generic.ts';
import { HOOK_SCRIPT, hookCommand } from './command.ts';
import type { FileHost } from './file-host.ts';
import { hookHome } from './hosts.ts';

/** Names of the scripts for hosts that are not known, for `sh` and for `cmd`. */
const SCRIPTS = ['svc-hook.sh', 'svc-hook.cmd'] as const;

/** Any other host: it calls a script. */
export const genericHost: FileHost = {
  id: 'generic',
  write(parts) {
    const usage = `<${GENERIC_EVENTS.join('|')}> [--session <id>] [--transcript <file>] [--prompt <text>]`;
    const [shell, batch] = SCRIPTS.map((name) => join(parts.home, name)) as [string, string];
    const full = { ...parts, framework: 'generic' };
    const onUnix = `#!/bin/sh\n# Usage: svc-hook.sh ${usage}\nexec ${hookCommand(full, 'linux')} "$@"\n`;
    const onWindows = `@echo off\r\nrem Usage: svc-hook.cmd ${usage}\r\n${hookCommand(full, 'win32')} %*\r\n`;
    writeFileAtomically(shell, onUnix, { durable: false });
    chmodSync(shell, 0o700);
    writeFileAtomically(batch, onWindows, { durable: false });
    return [shell, batch];
  },
  files: (scope) => SCRIPTS.map((name) => join(hookHome(scope), name)),
  script: HOOK_SCRIPT,
  notes: ['Call the script where your agent starts, and around its compactions.'],
};
