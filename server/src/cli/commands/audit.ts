import { readFile } from 'node:fs/promises';
import { AUDIT_CHAINS, type AuditChain } from '@svc-memory/core';
import {
  type FoundChain,
  type KeptCheckpoint,
  keptCheckpoint,
  readAuditLog,
  verifyAuditLogs,
} from '../../control/actions/audit.ts';
import { CliError, EXIT } from '../../control/cli-error.ts';
import { hintOf } from '../access/credentials.ts';
import { operate } from '../access/operate.ts';
import { type CommandContext, type CommandGroup, defineCommand, option } from '../console/command.ts';
import { counted } from '../console/terminal.ts';

const NO_HASH = '0'.repeat(64);

const verify = defineCommand({
  name: 'verify',
  description: 'Check that the audit log is as it was written, and print a checkpoint of each chain',
  options: [
    option(
      '--from <file>',
      'What this command or `npx svc-memory audit export` printed before: the log must still have all of it',
    ),
    option('--tenant <id>', 'Only this tenant'),
  ],
  helpText: () => `
Exit codes: 0 every chain is intact, 1 a chain is broken (stderr names its first broken entry), 2 wrong usage.

Who can write the whole database can make a log anew that fits in itself. A checkpoint kept elsewhere shows that:
keep one each day where the service cannot write, and compare with it.`,
  examples: [
    'npx svc-memory audit verify > /mnt/elsewhere/audit.ndjson',
    'npx svc-memory audit verify --from /mnt/elsewhere/audit.ndjson',
  ],
  run: verifyLogs,
});

const exporting = defineCommand({
  name: 'export',
  description: 'Print the audit log of a tenant, oldest first, one JSON object a line',
  options: [
    option(
      '--chain <chain>',
      'account: what the human may read; agent: acts on single memories; default: both',
    ).choices(AUDIT_CHAINS),
    option('--tenant <id>', 'Tenant, where there are several'),
  ],
  examples: [
    'npx svc-memory audit export > audit.ndjson',
    'npx svc-memory audit export --chain account | jq -c .act',
  ],
  run: exportLog,
});

export default {
  name: 'audit',
  description: 'Check and export the log of security-relevant acts; also beside the running service',
  examples: ['npx svc-memory audit verify', 'npx svc-memory audit export > audit.ndjson'],
  commands: [verify, exporting],
} satisfies CommandGroup;

/** Prints a checkpoint of each intact chain, and says of each what was found. */
async function verifyLogs(
  context: CommandContext,
  { tenant, from }: { tenant?: string; from?: string },
): Promise<number> {
  const { terminal } = context;
  const kept = from === undefined ? [] : await readCheckpoints(from);
  const chains = await operate(context, ({ perform }) => perform(verifyAuditLogs, { tenant, kept }));
  for (const found of chains) {
    if (found.intact) terminal.out(JSON.stringify(toCheckpoint(found)));
    terminal.err(`${found.displayName} (${found.tenantId}), ${found.chain}: ${verdictOf(found)}`);
  }
  return chains.every(({ intact }) => intact) ? EXIT.ok : EXIT.failure;
}

function toCheckpoint({ tenantId, chain, checkpoint }: FoundChain): KeptCheckpoint {
  return { tenant_id: tenantId, chain, ...checkpoint };
}

function verdictOf({ broken, entries }: FoundChain): string {
  if (!broken) return `intact, ${counted(entries, 'entry', 'entries')}`;
  return `BROKEN at entry ${broken.sequence}: ${broken.message}`;
}

async function readCheckpoints(file: string): Promise<KeptCheckpoint[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(`${file} cannot be read.`, {
      fix: 'Name a file that `npx svc-memory audit verify` or `npx svc-memory audit export` wrote.',
      exitCode: EXIT.usage,
      cause: error,
    });
  });
  const lines = text.split('\n').map((line) => line.trim());
  const kept = lines.flatMap((line, place) => (line === '' ? [] : [readCheckpoint(file, line, place + 1)]));
  if (kept.length === 0) throw noCheckpoints(`${file} holds no checkpoint.`);
  return kept;
}

function readCheckpoint(file: string, line: string, number: number): KeptCheckpoint {
  try {
    return keptCheckpoint.parse(JSON.parse(line));
  } catch {
    throw noCheckpoints(`Line ${number} of ${file} is no checkpoint.`);
  }
}

function noCheckpoints(message: string): CliError {
  return new CliError(message, {
    fix: 'Each line is {"tenant_id": …, "chain": …, "sequence": …, "hash": …}, as `npx svc-memory audit verify` prints it.',
    exitCode: EXIT.usage,
  });
}

/** Prints the chains of a tenant as they are read. */
async function exportLog(
  context: CommandContext,
  { chain, tenant }: { chain?: AuditChain; tenant?: string },
): Promise<void> {
  const hint = hintOf(context, tenant);
  await operate(context, async ({ perform }) => {
    for (const one of chain === undefined ? AUDIT_CHAINS : [chain]) {
      let after = { sequence: 0, hash: NO_HASH };
      for (;;) {
        const entries = await perform(readAuditLog, { ...hint, chain: one, after });
        for (const entry of entries) await context.terminal.write(`${JSON.stringify(entry)}\n`);
        const last = entries.at(-1);
        if (!last) break;
        after = { sequence: last.sequence, hash: last.hash };
      }
    }
  });
}
