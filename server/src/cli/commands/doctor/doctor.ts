import type { Credentials } from '@svc-memory/hooks';
import {
  type Config,
  ConfigError,
  type Environment,
  loadConfig,
  unknownVariables,
} from '../../../config/config.ts';
import { EXIT, errorText } from '../../../control/cli-error.ts';
import { checkConfig } from '../../access/check-config.ts';
import { readCredentials } from '../../access/credentials.ts';
import { holdsData, mayBeServed } from '../../access/own-service.ts';
import { askHealth } from '../../access/running-service.ts';
import { type CommandContext, defineCommand } from '../../console/command.ts';
import type { Terminal } from '../../console/terminal.ts';
import { checkIssuer, checkMail } from './accounts.ts';
import { type CheckResult, failure, ok, type Surroundings, warning } from './check-result.ts';
import { checkEmbedder } from './embedder.ts';
import { checkClock, checkFolder, checkPort, checkSecret } from './machine.ts';
import { checkLanguageModel, checkReranker } from './models.ts';
import { checkRedis } from './redis.ts';
import { checkCredentials, checkDatabase } from './service.ts';

export default defineCommand({
  name: 'doctor',
  description: 'Check everything the service needs, and say how to mend it',
  run: checkAll,
});

/** Checks everything the service needs, running or not, and prints a line for each; fails where one fails. */
async function checkAll({ env, terminal }: CommandContext): Promise<number> {
  const findings: CheckResult[] = [];
  const note = (...more: readonly CheckResult[]) => {
    findings.push(...more);
    for (const finding of more) print(terminal, finding);
  };
  note(ok(`Node ${process.versions.node}`));
  const config = readConfig(env, note);
  if (config) {
    const found = findUsable(env, note);
    const credentials = found ?? undefined;
    const url = credentials?.apiUrl ?? config.apiUrl ?? `http://${config.host}:${config.port}`;
    const told = config.apiKey !== undefined || config.apiUrl !== undefined;
    const answering = told || (await mayBeServed(config)) ? await findAnswering(url) : undefined;
    // What answers without anything here that could be its own works on another folder.
    const isOwn =
      told || credentials !== undefined || config.databaseUrl !== undefined || (await holdsData(config));
    const surroundings: Surroundings = {
      env,
      config,
      credentials,
      ...(isOwn ? { running: answering } : { elsewhere: answering }),
    };
    note(...(await checkFolder(surroundings)));
    note(await checkPort(surroundings));
    note(await checkDatabase(surroundings));
    note(...checkSecret(surroundings));
    note(...(await checkRedis(surroundings)));
    if (found !== null) note(await checkCredentials(surroundings));
    note(...(await checkEmbedder(surroundings)));
    note(...(await checkReranker(surroundings)));
    note(...(await checkLanguageModel(surroundings)));
    note(...(await checkMail(surroundings)));
    note(...(await checkIssuer(surroundings)));
    note(await checkClock(surroundings));
  }
  terminal.out(`\n${summaryOf(findings)}`);
  return count(findings, 'failure') === 0 ? EXIT.ok : EXIT.failure;
}

/** The service at an address, or at what is left of it without its last part or its path: that of MCP clients ends in `/mcp`. */
async function findAnswering(asked: string): Promise<Surroundings['running']> {
  for (const url of new Set([asked, asked.replace(/\/[^/]*$/, ''), new URL(asked).origin])) {
    const health = URL.canParse(url) ? await askHealth(url) : undefined;
    if (health) return { url, asked, health };
  }
  return undefined;
}

function summaryOf(findings: readonly CheckResult[]): string {
  const failures = count(findings, 'failure');
  if (failures > 0) return `${failures} of ${findings.length} checks failed.`;
  return count(findings, 'warning') > 0 ? 'All works. Look at what is marked with !.' : 'All is well.';
}

function count(findings: readonly CheckResult[], state: CheckResult['state']): number {
  return findings.filter((finding) => finding.state === state).length;
}

function readConfig(env: Environment, note: (...findings: CheckResult[]) => void): Config | undefined {
  try {
    const config = loadConfig(env);
    checkConfig(config);
    note(ok('Configuration: valid'), ...unknownVariables(env).map((message) => warning(message)));
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    note(...error.mistakes.map((message) => failure(`Configuration: ${message}`)));
    return undefined;
  }
}

/** The credentials of this machine; undefined where there are none, null where they cannot be used, which is noted. */
function findUsable(
  env: Environment,
  note: (...findings: CheckResult[]) => void,
): Credentials | undefined | null {
  try {
    return readCredentials(env);
  } catch (error) {
    note(failure(errorText(error)));
    return null;
  }
}

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], failure: ['red', '✗'] } as const;

function print(terminal: Terminal, { state, message, fix }: CheckResult): void {
  const [colour, mark] = MARKS[state];
  terminal.out(terminal.style(colour, mark), ` ${message}`);
  if (fix && state !== 'ok') terminal.out(`  ${fix}`);
}
