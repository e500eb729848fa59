import { type AgentMemory, FolderInUseError } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import { readCredentials } from '../credentials.ts';
import { CliError } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { chooseTenant, withEngine } from './direct-engine.ts';
import { askHealth } from './running-service.ts';

/** How a command reached the memories. */
export interface Reached {
  /** Address of the running service; undefined when it is stopped and the database was opened directly. */
  readonly url: string | undefined;
}

// Exports of large memories take longer than an ordinary call.
const TIMEOUT_MS = 300_000;

/**
 * Gives a command the agent's memory: over REST where `SVC_API_KEY` or `SVC_API_URL` is set or the service of
 * `credentials.json` runs, otherwise straight from the database.
 */
export async function withMemory<T>(
  context: CommandContext,
  work: (memory: AgentMemory, reached: Reached) => Promise<T>,
): Promise<T> {
  const { env } = context;
  const credentials = await readCredentials(env);
  const told = Boolean(env.SVC_API_KEY?.trim() || env.SVC_API_URL?.trim());
  if (credentials && (told || (await askHealth(credentials.apiUrl)))) {
    const { apiUrl: url, apiKey } = credentials;
    return work(connect({ url, apiKey, timeoutMs: TIMEOUT_MS }), { url });
  }
  try {
    return await withEngine(context, async (engine) => {
      const tenant = await chooseTenant(engine, context);
      return work(engine.agent(tenant.id), { url: undefined });
    });
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new CliError(`${error.message.split('. ')[0]}, but it cannot be reached.`, {
      fix: credentials
        ? `${credentials.apiUrl} in credentials.json does not answer. Restart the service, which writes its address there.`
        : 'credentials.json is missing. Restart the service, which writes it, or set SVC_API_URL and SVC_API_KEY.',
      cause: error,
    });
  }
}
