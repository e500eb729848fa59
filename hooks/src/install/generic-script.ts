import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeFileAtomically } from '../files/write-file.ts';
import { GENERIC_EVENTS } from '../frameworks/generic.ts';
import { HOOK_SCRIPT, hookCommand } from './command.ts';
import type { FileHost } from './file-host.ts';
import { hookHome } from './hosts.ts';

/** Names of the scripts for hosts that are not known: for `sh`, for `cmd`, and what the latter runs. */
const SCRIPTS = ['svc-hook.sh', 'svc-hook.cmd', 'svc-hook.mjs'] as const;

/** Any other host: it calls a script. */
export const genericHost: FileHost = {
  id: 'generic',
  write({ home, credentials }) {
    const usage = `<${GENERIC_EVENTS.join('|')}> [--session <id>] [--transcript <file>] [--prompt <text>]`;
    const [shell, batch, module] = SCRIPTS.map((name) => join(home, name)) as [string, string, string];
    const command = hookCommand({ framework: 'generic', home, credentials }, 'linux');
    const onUnix = `#!/bin/sh\n# Usage: svc-hook.sh ${usage}\nexec ${command} "$@"\n`;
    // cmd reads a script in the code page of its console, so that paths with other letters stand in a module.
    const onWindows = `@echo off\r\nrem Usage: svc-hook.cmd ${usage}\r\nnode "%~dp0svc-hook.mjs" %*\r\n`;
    const options = ['generic', '--home', home, '--credentials', credentials];
    const started = `process.argv.splice(2, 0, ...${JSON.stringify(options)});\nawait import(${JSON.stringify(pathToFileURL(HOOK_SCRIPT).href)});\n`;
    writeFileAtomically(shell, onUnix, { durable: false });
    chmodSync(shell, 0o700);
    writeFileAtomically(batch, onWindows, { durable: false });
    writeFileAtomically(module, started, { durable: false });
    return [shell, batch];
  },
  files: (scope) => SCRIPTS.map((name) => join(hookHome(scope), name)),
  script: HOOK_SCRIPT,
  notes: ['Call the script where your agent starts, and around its compactions.'],
};
