/** The service as something else starts it. */
export interface StartedService {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The folder it works in. */
  readonly folder: string;
}

/** What starts programs at the login of a user, and again when they crash. */
export interface ServiceManager {
  readonly name: string;
  /** The file that names the service to it. */
  readonly file: string;
  /** What the file says. */
  describe(service: StartedService): string;
  /** Command lines that make it read the file and start the service. */
  readonly start: readonly CommandLine[];
  /** Command lines that stop the service, before and after the file is removed. */
  readonly stop: readonly [before: readonly CommandLine[], after: readonly CommandLine[]];
  /** A command line that tells what it knows of the service. */
  readonly state: CommandLine;
  /** How the user reads what the service has logged. */
  readonly log: string;
  /** What the user has to know. */
  readonly note?: string;
}

type CommandLine = readonly [program: string, ...args: string[]];

/** The name that the manager knows the service by. */
export const NAME = 'svc-memory';
