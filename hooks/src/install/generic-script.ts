import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, writeFileAtomically } from '../files/write-file.ts';
import { GENERIC_EVENTS } from '../frameworks/generic.ts';
import { type CommandParts, hookCommand } from './command.ts';

/** Names of the scripts for hosts that are not known, for `sh` and for `cmd`. */
export const GENERIC_SCRIPTS = ['svc-hook.sh', 'svc-hook.cmd'] as const;

/** Writes the scripts into a folder and answers their paths. */
export function writeGenericScripts(parts: Omit<CommandParts, 'framework'>): string[] {
  makePrivateFolder(parts.home);
  const usage = `<${GENERIC_EVENTS.join('|')}> [--session <id>] [--transcript <file>] [--prompt <text>]`;
  const [shell, batch] = GENERIC_SCRIPTS.map((name) => join(parts.home, name)) as [string, string];
  const full = { ...parts, framework: 'generic' };
  writeFileAtomically(
    shell,
    `#!/bin/sh\n# Usage: svc-hook.sh ${usage}\nexec ${hookCommand(full, 'linux')} "$@"\n`,
    {
      durable: false,
    },
  );
  chmodSync(shell, 0o700);
  writeFileAtomically(
    batch,
    `@echo off\r\nrem Usage: svc-hook.cmd ${usage}\r\n${hookCommand(full, 'win32')} %*\r\n`,
    {
      durable: false,
    },
  );
  return [shell, batch];
}

/** Removes the scripts; answers whether there were any. */
export function removeGenericScripts(home: string): void {
  for (const name of GENERIC_SCRIPTS) rmSync(join(home, name), { force: true });
}
