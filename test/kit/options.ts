import { type ParseArgsConfig, parseArgs } from 'node:util';

/** What somebody typed is wrong. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<Of extends Options> = ReturnType<typeof parseArgs<{ options: Of }>>['values'];

/** What somebody types to start a program. */
interface Program<Of extends Options> {
  /** The script of `package.json`. */
  readonly command: string;
  readonly help: string;
  readonly options: Of;
  /** Whether it takes files beside options; default: no. */
  readonly takesFiles?: boolean;
}

/** Reads the options of a program with a help text; ends the process where they ask for it, or are wrong. */
export function readOptions<const Of extends Options, Read>(
  { command, help, options, takesFiles = false }: Program<Of>,
  read: (values: Values<Of>, files: readonly string[]) => Read,
): Read {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: takesFiles,
      options: { ...options, help: { type: 'boolean' } },
    }) as { values: Values<Of> & { help?: boolean }; positionals: string[] };
    if (values.help) {
      process.stdout.write(help);
      process.exit();
    }
    return read(values, positionals);
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof TypeError && 'code' in error)) throw error;
    process.stderr.write(`${command}: ${error.message}; see npm run ${command} -- --help\n`);
    process.exit(2);
  }
}

/** A whole number, which `least` is the least of. */
export function wholeNumber(name: string, text: string, least = 1): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`--${name} must be a whole number from ${least} on, not ${JSON.stringify(text)}`);
  }
  return value;
}

/** How long something takes, in a unit of its own. */
export function lengthOf(unit: 'seconds' | 'minutes', name: string, text: string): number {
  const value = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || value <= 0) {
    throw new UsageError(`--${name} must be a number of ${unit} above 0, not ${JSON.stringify(text)}`);
  }
  return value;
}

/** A name, which must be among `known`. */
export function nameOf<Name extends string>(name: string, asked: string, known: readonly Name[]): Name {
  const found = known.find((one) => one === asked);
  if (found === undefined) {
    throw new UsageError(`--${name}: there is no ${JSON.stringify(asked)}, only ${known.join(', ')}`);
  }
  return found;
}

/** Names, each of which must be among `known`; each once. */
export function namesOf<Name extends string>(
  name: string,
  asked: readonly string[],
  known: readonly Name[],
): Name[] {
  return [...new Set(asked.map((one) => nameOf(name, one, known)))];
}

/** The files that a program is told, at least one. */
export function someFiles(files: readonly string[]): readonly string[] {
  if (files.length === 0) throw new UsageError('it takes a file');
  return files;
}

/** The Postgres server to measure on. */
export function postgresServer(): string {
  const url = process.env.SVC_TEST_DATABASE_URL;
  if (!url || !URL.canParse(url)) throw new UsageError('SVC_TEST_DATABASE_URL must be postgres://...');
  return url;
}
