import { Command as Commander } from 'commander';
import { whyUnwritten } from '../backups/why-unwritable.ts';
import { CliError, describeError, EXIT } from '../control/cli-error.ts';
import type { Command, CommandContext, CommandGroup } from './console/command.ts';
import { packageVersion } from './console/package-version.ts';

/** Commands by their names, in the order of the help. Each is loaded when it is wanted. */
export type Commands = Readonly<Record<string, () => Promise<{ readonly default: Command | CommandGroup }>>>;

/** Runs one command line (without `node` and the script), reports what fails, and answers the exit code. */
export async function run(
  args: readonly string[],
  commands: Commands,
  context: CommandContext,
): Promise<number> {
  try {
    const exitCode = await execute(args, commands, context).catch(async (error: unknown) => {
      // A command that stopped because its result cannot be written: `requireWritten` reports that.
      if (error !== (await context.terminal.written())) throw error;
      return EXIT.ok;
    });
    requireWritten(await context.terminal.written());
    return exitCode;
  } catch (error) {
    const { lines, exitCode } = describeError(error, { stack: context.env.SVC_LOG_LEVEL === 'debug' });
    for (const line of lines) context.terminal.err(line);
    return exitCode;
  }
}

/** Throws where the result could not be written. A reader may stop early (`npx svc-memory export | head`): that is no failure. */
function requireWritten(error: NodeJS.ErrnoException | undefined): void {
  if (!error || error.code === 'EPIPE') return;
  throw new CliError(`The result could not be written to standard output: ${whyUnwritten(error)}.`, {
    fix: 'Mend that, or write it elsewhere. What else the command was to do is done.',
    cause: error,
  });
}

async function execute(
  args: readonly string[],
  commands: Commands,
  context: CommandContext,
): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = await createProgram(context);
  const asked = await withHelpOption(args, commands);
  for (const command of await loadCommands(commands, asked[0])) {
    mount(program, command, async (chosen, values) => {
      exitCode = (await chosen.run(context, ...values)) ?? EXIT.ok;
    });
  }
  try {
    await program.parseAsync(asked, { from: 'user' });
  } catch (error) {
    const code = usageExit(error);
    if (code === undefined) throw error;
    return code;
  }
  return exitCode;
}

/**
 * Turns `help keys create` into `keys create --help`, because commander's own `help` takes one name. An unknown name becomes a call
 * of that command, for which commander says that it is unknown and suggests another.
 */
async function withHelpOption(args: readonly string[], commands: Commands): Promise<string[]> {
  const [first, name, ...more] = args;
  if (first !== 'help' || name === undefined || name.startsWith('-')) return [...args];
  if (name === 'help') return ['--help'];
  const [command] = Object.hasOwn(commands, name) ? await loadCommands(commands, name) : [];
  if (!command) return [name];
  const [member] = more;
  if (member === undefined) return [...args];
  const isUnknown = 'commands' in command && !command.commands.some((one) => one.name === member);
  return isUnknown ? [name, member] : [name, ...more, '--help'];
}

/** Loads the command of this name; all commands where there is none, as for a request for help. */
async function loadCommands(commands: Commands, name = ''): Promise<readonly (Command | CommandGroup)[]> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const loaded = await Promise.all((load ? [load] : Object.values(commands)).map((each) => each()));
  return loaded.map((module) => module.default);
}

async function createProgram({ terminal }: CommandContext): Promise<Commander> {
  return new Commander('npx svc-memory')
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
    .showHelpAfterError(
      '     `npx svc-memory --help` shows the commands, `npx svc-memory help <command>` the options.',
    )
    .addHelpText(
      'after',
      formatExamples([
        'npx svc-memory serve',
        'npx svc-memory doctor',
        'npx svc-memory remember "Ada prefers tea"',
        'npx svc-memory recall tea',
        'npx svc-memory export --out memories.json',
        'npx svc-memory help keys',
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
