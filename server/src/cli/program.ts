import { Command as Commander } from 'commander';
import { describeError, EXIT } from './console/cli-error.ts';
import type { Command, CommandContext, CommandGroup } from './console/command.ts';
import { packageVersion } from './console/package-version.ts';

/** Every command of `svc` by its name, in the order of its help. Each is loaded when it is wanted: most need no database. */
const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: Command | CommandGroup }>>> = {
  serve: () => import('./commands/serve/serve.ts'),
  status: () => import('./commands/status.ts'),
  remember: () => import('./commands/remember.ts'),
  recall: () => import('./commands/recall.ts'),
  boot: () => import('./commands/boot.ts'),
  open: () => import('./commands/open.ts'),
  link: () => import('./commands/link.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import/import.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  reflect: () => import('./commands/reflect.ts'),
  doctor: () => import('./commands/doctor/doctor.ts'),
  config: () => import('./commands/show-config.ts'),
  migrate: () => import('./commands/migrate.ts'),
  reembed: () => import('./commands/reembed.ts'),
  scrub: () => import('./commands/scrub.ts'),
  keys: () => import('./commands/keys.ts'),
  hooks: () => import('./commands/hooks/hooks.ts'),
};

/** Runs one command line (without `node` and the script), reports what fails, and answers the exit code. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    return await execute(args, context);
  } catch (error) {
    const { lines, exitCode } = describeError(error, { stack: context.env.SVC_LOG_LEVEL === 'debug' });
    for (const line of lines) context.terminal.err(line);
    return exitCode;
  }
}

async function execute(args: readonly string[], context: CommandContext): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = await createProgram(context);
  for (const command of await loadCommands(args[0])) {
    mount(program, command, async (chosen, values) => {
      exitCode = await chosen.run(context, ...values);
    });
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    const code = usageExit(error);
    if (code === undefined) throw error;
    return code;
  }
  return exitCode;
}

/** The command that is called; all of them for what is none, such as a request for help. */
async function loadCommands(name = ''): Promise<readonly (Command | CommandGroup)[]> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const loaded = await Promise.all((load ? [load] : Object.values(COMMANDS)).map((each) => each()));
  return loaded.map(({ command }) => command);
}

async function createProgram({ terminal }: CommandContext): Promise<Commander> {
  return new Commander('svc')
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
      formatExamples([
        'svc serve',
        'svc doctor',
        'svc remember "Ada prefers tea"',
        'svc recall tea',
        'svc export --out memories.json',
        'svc help keys',
      ]),
    );
}

function mount(
  parent: Commander,
  definition: Command | CommandGroup,
  run: (command: Command, values: readonly unknown[]) => Promise<void>,
): void {
  const mounted = parent.command(definition.name).description(definition.description);
  if ('commands' in definition) for (const command of definition.commands) mount(mounted, command, run);
  else {
    for (const one of definition.arguments ?? []) mounted.addArgument(one);
    for (const one of definition.options ?? []) mounted.addOption(one);
    if (definition.helpText) mounted.addHelpText('after', definition.helpText);
    // Commander passes itself as one value more than the definition declares.
    mounted.action((...values: unknown[]) => run(definition, values.slice(0, -1)));
  }
  if (definition.examples) mounted.addHelpText('after', formatExamples(definition.examples));
}

function formatExamples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** Exit code of what commander throws in place of exiting: help and version are no failure, the rest is wrong usage. */
function usageExit(error: unknown): number | undefined {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('commander.')))
    return undefined;
  return 'exitCode' in error && error.exitCode === 0 ? EXIT.ok : EXIT.usage;
}
