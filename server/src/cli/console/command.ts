import { Argument, Option } from 'commander';
import type { Environment } from '../../config/config.ts';
import type { Terminal } from './terminal.ts';

/** What every command gets from outside. */
export interface CommandContext {
  readonly env: Environment;
  readonly terminal: Terminal;
}

interface Named {
  readonly name: string;
  readonly description: string;
  /** Command lines that the help ends with. */
  readonly examples?: readonly string[];
}

/** A command of `svc`. `Values` are its arguments in their order, and then its options as one object. */
export interface CommandDefinition<Values extends readonly unknown[]> extends Named {
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Text that the help shows before the examples. */
  readonly helpText?: () => string;
  /** Answers the exit code; a command that did what it is for just ends. */
  // biome-ignore lint/suspicious/noConfusingVoidType: nearly all of them just end
  run(context: CommandContext, ...values: Values): Promise<number | void>;
}

/** A command as the program mounts it. */
export type Command = CommandDefinition<readonly unknown[]>;

/** A word before commands that belong together, such as `npx svc-memory keys`. */
export interface CommandGroup extends Named {
  readonly commands: readonly Command[];
}

/**
 * Defines a command.
 *
 * @param definition Its `run` takes what `arguments` and `options` declare: the type checker cannot compare the two.
 */
export function defineCommand<Values extends readonly unknown[]>(
  definition: CommandDefinition<Values>,
): Command {
  return {
    ...definition,
    run: (context, ...values) => definition.run(context, ...(values as readonly unknown[] as Values)),
  };
}

/** An option such as `--json` or `--tenant <id>`. */
export function option(flags: string, description: string): Option {
  return new Option(flags, description);
}

/** An argument such as `<file>`. */
export function argument(name: string, description: string): Argument {
  return new Argument(name, description);
}
