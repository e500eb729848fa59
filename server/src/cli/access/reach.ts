import type { Actor, AgentMemory, Engine } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import type { Credentials } from '@svc-memory/hooks';
import { loadConfig } from '../../config/config.ts';
import { chooseTenant } from '../../control/choose-tenant.ts';
import { CliError } from '../../control/cli-error.ts';
import type { CommandContext } from '../console/command.ts';
import { hintOf, readCredentials } from './credentials.ts';
import { mayBeServed, requireData } from './own-service.ts';
import { askHealth } from './running-service.ts';

/** How a command reaches the memories: a running service, or the database itself while the service is stopped. */
export type Reached = {
  readonly memory: AgentMemory;
  /** Does some of the jobs, where no service runs to do them. */
  readonly work?: () => Promise<unknown>;
} & (
  | { readonly kind: 'service'; readonly credentials: Credentials }
  | { readonly kind: 'engine'; readonly engine: Engine; readonly tenantId: string }
);

// Exports of large memories take longer than an ordinary call.
const TIMEOUT_MS = 300_000;
/** After so long a person is told where it is the service that does not answer. */
const SILENCE_MS = 3_000;

/**
 * Reaches the agent's memory: over REST where `SVC_API_KEY` or `SVC_API_URL` is set or the service of
 * `credentials.json` runs, otherwise straight from the database.
 *
 * @throws CliError where neither a service nor a database is found.
 */
export async function reach<T>(
  context: CommandContext,
  work: (reached: Reached) => Promise<T>,
  actor?: Actor,
): Promise<T> {
  const { env } = context;
  const credentials = readCredentials(env);
  const config = loadConfig(env);
  const told = config.apiKey !== undefined || config.apiUrl !== undefined;
  if (credentials && (told || ((await mayBeServed(config)) && (await askHealth(credentials.apiUrl))))) {
    const { apiUrl: url, apiKey } = credentials;
    const memory = connect({ url, apiKey, timeoutMs: TIMEOUT_MS });
    const waiting = setTimeout(() => void tellOfSilence(context, url), SILENCE_MS);
    return work({ kind: 'service', memory, credentials }).finally(() => clearTimeout(waiting));
  }
  await requireData(config, { saved: credentials?.apiUrl, others: ', or SVC_API_URL and SVC_API_KEY' });
  // What works on the database is loaded only where no service answers: it takes longer than the call.
  const { FolderInUseError } = await import('@svc-memory/core');
  const { withEngine } = await import('./direct-engine.ts');
  try {
    return await withEngine(context, async (engine) => {
      const { id: tenantId } = await chooseTenant(engine, hintOf(context));
      const workOnJobs = () => engine.background.run('jobs.work');
      return work({
        kind: 'engine',
        memory: engine.agent(tenantId, actor),
        work: workOnJobs,
        engine,
        tenantId,
      });
    });
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new CliError(`${error.message.split('. ')[0]}, but it cannot be reached.`, {
      fix: credentials
        ? `${credentials.apiUrl} in credentials.json does not answer. Restart the service, which writes its address there.`
        : 'credentials.json is missing. A service that is starting writes it soon: try again in a moment. Else restart it, or set SVC_API_URL and SVC_API_KEY.',
      cause: error,
    });
  }
}

/** Work that takes long is no silence: the service still says how it is. */
async function tellOfSilence({ terminal }: CommandContext, url: string): Promise<void> {
  if (await askHealth(url)) return;
  terminal.err(`svc: ${url} does not answer yet. Waiting for it; Ctrl-C ends that.`);
}
