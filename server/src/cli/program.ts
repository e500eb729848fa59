import { FORMAT_NAMES } from '@svc-memory/core';
import { Command, Option } from 'commander';
import { ROLES, type Role } from '../role.ts';
import { EXIT, report } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { doctor } from './doctor.ts';
import { exportMemories } from './export.ts';
import { addHooks } from './hooks.ts';
import { importMemories } from './import.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { migrate } from './migrate.ts';
import { packageVersion } from './package-version.ts';
import { reembed } from './reembed.ts';
import { readDays, reflect } from './reflect.ts';
import { serve } from './serve.ts';
import { settingsHelp, showConfig } from './show-config.ts';
import { status } from './status.ts';

/** Runs one command line (without `node` and the script), reports what fails, and answers the exit code. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    return await execute(args, context);
  } catch (error) {
    const { lines, exitCode } = report(error, { stack: context.env.SVC_LOG_LEVEL === 'debug' });
    for (const line of lines) context.terminal.err(line);
    return exitCode;
  }
}

async function execute(args: readonly string[], context: CommandContext): Promise<number> {
  let exitCode: number = EXIT.ok;
  /** Makes the action of a command: its options and arguments go in, its exit code comes out. */
  const action =
    <Arguments extends unknown[]>(
      command: (context: CommandContext, ...args: Arguments) => Promise<number>,
    ) =>
    async (...args: Arguments) => {
      exitCode = await command(context, ...args);
    };
  const { terminal } = context;
  const program = new Command('svc')
    .description('Identity and memory for AI agents that survive context compaction.')
    .version(await packageVersion(), '-v, --version', 'Print the version')
    .helpOption('-h, --help', 'Print this help')
    .helpCommand('help [command]', 'Print the help of a command')
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'svc: ')),
    })
    .exitOverride()
    .showHelpAfterError('     `svc --help` shows the commands, `svc help <command>` the options.')
    .addHelpText(
      'after',
      examples(['svc serve', 'svc doctor', 'svc export --out memories.json', 'svc help keys']),
    );

  program
    .command('serve')
    .description('Start the service')
    .addOption(
      new Option(
        '--role <role>',
        'api answers calls, worker does the background work and answers /health, /ready and /metrics, all does both; several of each may run on one Postgres',
      )
        .choices(ROLES)
        .default('all'),
    )
    .addHelpText('after', () => settingsHelp())
    .addHelpText(
      'after',
      examples([
        'svc serve',
        'SVC_PORT=8080 SVC_DATA_DIR=/var/lib/svc svc serve',
        'SVC_DATABASE_URL=postgres://… SVC_REDIS_URL=redis://… SVC_SECRET=… svc serve --role worker',
      ]),
    )
    .action(action((context, options: { role: Role }) => serve(context, options.role)));
  program
    .command('status')
    .description('Print the tenant, its usage and its number of memories')
    .option('--json', 'Print JSON')
    .action(action(status));
  program
    .command('export')
    .description('Print all memories, or write them to a file')
    .addOption(
      new Option('--format <format>', 'Format of the document').choices(['json', 'markdown']).default('json'),
    )
    .option('--out <file>', 'File to write (mode 0600) in place of stdout')
    .addHelpText('after', examples(['svc export --out memories.json', 'svc export | jq .memories.core']))
    .action(action(exportMemories));
  program
    .command('import')
    .description('Take memories in: Markdown, text, JSON, zip, and exports of other services')
    .argument('<source>', 'File, folder, https://… of a Git repository, or s3://bucket/prefix')
    .addOption(new Option('--format <format>', 'Format; default: told from each file').choices(FORMAT_NAMES))
    .option('--dry-run', 'Only show what would be imported')
    .option('--ref <name>', 'Branch or tag of a Git repository')
    .option('--path <path>', 'File or folder in a Git repository')
    .addHelpText(
      'after',
      examples([
        'svc import memories.json --dry-run',
        'svc import chatgpt-export.zip',
        'svc import https://github.com/owner/notes --path memory',
        'AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… AWS_REGION=eu-central-1 svc import s3://bucket/notes/',
      ]),
    )
    .action(action(importMemories));
  program
    .command('reflect')
    .description('Turn old episodes into digests, merge copies and mark contradictions')
    .option('--older-than <days>', 'Age of the episodes in days; default: as configured, else 7', readDays)
    .option('--archive-sources', 'Archive the episodes that are digested (restorable for 30 days)')
    .addHelpText('after', examples(['svc reflect', 'svc reflect --older-than 30']))
    .action(action(reflect));
  program
    .command('doctor')
    .description('Check everything the service needs, and say how to mend it')
    .action(action((context) => doctor(context)));
  program
    .command('config')
    .description('Print the settings in force, secrets masked')
    .option('--json', 'Print JSON')
    .addHelpText('after', () => settingsHelp())
    .action(action(showConfig));
  program
    .command('migrate')
    .description('Bring the database up to date, as every start of the service does')
    .action(action((context) => migrate(context)));
  program
    .command('reembed')
    .description('Make all vectors anew by the embedder in force; may be ended and run again at any moment')
    .option('--tenant <id>', 'Only this tenant')
    .addHelpText('after', examples(['SVC_EMBEDDER=openai:text-embedding-3-small svc reembed']))
    .action(action(reembed));
  addKeys(program, action);
  addHooks(program, action, examples);

  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    const code = usageExit(error);
    if (code === undefined) throw error;
    return code;
  }
  return exitCode;
}

type MakeAction = <Arguments extends unknown[]>(
  command: (context: CommandContext, ...args: Arguments) => Promise<number>,
) => (...args: Arguments) => Promise<void>;

function addKeys(program: Command, action: MakeAction): void {
  const keys = program
    .command('keys')
    .description('List, make and revoke API keys (stop an embedded service first)')
    .addHelpText(
      'after',
      examples(['svc keys list', 'svc keys create --name laptop', 'svc keys revoke <id>']),
    );
  const tenant = ['--tenant <id>', 'Tenant, where there are several'] as const;
  keys
    .command('list')
    .description('Print the API keys of a tenant')
    .option(...tenant)
    .option('--json', 'Print JSON')
    .action(action(listKeys));
  keys
    .command('create')
    .description('Make an API key and print it this once')
    .option('--name <name>', 'What the key is for', 'made by svc keys create')
    .addOption(new Option('--scope <scope>', 'What the key may do').choices(['full', 'read']).default('full'))
    .option('--expires <duration>', 'Lifetime, such as 24h or 90d; default: none')
    .option(...tenant)
    .option('--new-tenant <name>', 'Make a tenant of this name for the key')
    .addOption(
      new Option('--plan <plan>', 'Plan of the new tenant')
        .choices(['standard', 'trial', 'local'])
        .default('standard'),
    )
    .addHelpText('after', examples(['svc keys create --name dashboard --scope read --expires 90d']))
    .action(action(createKey));
  keys
    .command('revoke')
    .description('End an API key at once')
    .argument('<id>', 'Id of the key, as `svc keys list` shows it')
    .option(...tenant)
    .action(action(revokeKey));
}

function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** Exit code of what commander throws in place of exiting: help and version are no failure, the rest is wrong usage. */
function usageExit(error: unknown): number | undefined {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('commander.')))
    return undefined;
  return 'exitCode' in error && error.exitCode === 0 ? EXIT.ok : EXIT.usage;
}
