import { type Config, ConfigError, type Environment, loadConfig, unknownVariables } from '../config.ts';
import { type Credentials, readCredentials } from '../credentials.ts';
import { EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { checkEmbedder } from './doctor-embedder.ts';
import { checkClock, checkFolder, checkNode, checkPort } from './doctor-machine.ts';
import { checkCredentials, checkDatabase } from './doctor-service.ts';
import { askHealth, type Health } from './running-service.ts';
import type { Terminal } from './terminal.ts';

/** What one check came to. A `warning` does not keep the service from working. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'failure';
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** What the checks go by. */
export interface Surroundings {
  readonly env: Environment;
  readonly config: Config;
  readonly credentials: Credentials | undefined;
  /** The service that answers now, if one does. */
  readonly running: { readonly url: string; readonly health: Health } | undefined;
}

/** Checks everything the service needs, running or not, and prints a line for each; fails where one fails. */
export async function doctor({ env, terminal }: CommandContext): Promise<number> {
  const findings: Finding[] = [];
  const note = (...more: readonly Finding[]) => {
    findings.push(...more);
    for (const finding of more) print(terminal, finding);
  };
  note(checkNode(process.versions.node));
  const config = readConfig(env, note);
  if (config) {
    const credentials = await readCredentials(env).catch((error: Error) => {
      note({ state: 'failure', message: error.message });
      return undefined;
    });
    const url = credentials?.apiUrl ?? `http://${config.host}:${config.port}`;
    const health = await askHealth(url);
    const surroundings = { env, config, credentials, running: health && { url, health } };
    note(...(await checkFolder(surroundings)));
    note(await checkPort(surroundings));
    note(await checkDatabase(surroundings));
    note(await checkCredentials(surroundings));
    note(await checkEmbedder(surroundings));
    note(await checkClock(surroundings));
  }
  const failures = findings.filter(({ state }) => state === 'failure').length;
  terminal.out(failures === 0 ? '\nAll is well.' : `\n${failures} of ${findings.length} checks failed.`);
  return failures === 0 ? EXIT.ok : EXIT.failure;
}

function readConfig(env: Environment, note: (...findings: Finding[]) => void): Config | undefined {
  try {
    const config = loadConfig(env);
    note({ state: 'ok', message: 'Configuration: valid' });
    note(...unknownVariables(env).map((message): Finding => ({ state: 'warning', message })));
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    note(
      ...error.mistakes.map(
        (message): Finding => ({ state: 'failure', message: `Configuration: ${message}` }),
      ),
    );
    return undefined;
  }
}

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], failure: ['red', '✗'] } as const;

function print(terminal: Terminal, { state, message, fix }: Finding): void {
  const [colour, mark] = MARKS[state];
  terminal.out(`${terminal.style(colour, mark)} ${message}`);
  if (fix && state !== 'ok') terminal.out(`  ${fix}`);
}
