import { type ParseArgsConfig, parseArgs } from 'node:util';

/** What somebody typed is wrong. */
class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<Of extends Options> = ReturnType<typeof parseArgs<{ options: Of }>>['values'];

/** Reads the options of a program with a help text; ends the process where they ask for it, or are wrong. */
export function readOptions<const Of extends Options, Read>(
  { command, help, options }: { readonly command: string; readonly help: string; readonly options: Of },
  read: (values: Values<Of>) => Read,
): Read {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } }) as {
      values: Values<Of> & { help?: boolean };
    };
    if (values.help) {
      process.stdout.write(help);
      process.exit();
    }
    return read(values);
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

/** A number of seconds. */
export function seconds(name: string, text: string): number {
  const value = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || value <= 0) {
    throw new UsageError(`--${name} must be a number of seconds above 0, not ${JSON.stringify(text)}`);
  }
  return value;
}

/** Names, each of which must be among `known`; each once. */
export function namesOf<Name extends string>(
  name: string,
  asked: readonly string[],
  known: readonly Name[],
): Name[] {
  const unknown = asked.find((one) => !known.some((other) => other === one));
  if (unknown !== undefined) {
    throw new UsageError(`--${name}: there is no ${JSON.stringify(unknown)}, only ${known.join(', ')}`);
  }
  return [...new Set(asked)] as Name[];
}

/** The Postgres server to measure on. */
export function postgresServer(): string {
  const url = process.env.SVC_TEST_DATABASE_URL;
  if (!url || !URL.canParse(url)) throw new UsageError('SVC_TEST_DATABASE_URL must be postgres://...');
  return url;
}
