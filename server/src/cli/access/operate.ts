import type { Engine } from '@svc-memory/core';
import { loadConfig } from '../../config/config.ts';
import type { EngineAction } from '../../control/engine-action.ts';
import type { CommandContext } from '../console/command.ts';
import { explainSilence, findService } from './control.ts';
import { savedCredentials } from './credentials.ts';
import { requireData } from './own-service.ts';

/** What does a command's actions. */
export interface Operator {
  perform<Input, Output>(action: EngineAction<Input, Output>, input: Input): Promise<Output>;
  /** The engine itself, where the command opened it: nothing then works in the background. */
  readonly engine?: Engine;
}

/**
 * Lets a command act as the operator: through the service that runs on the data folder, else at the database itself. On
 * Postgres always at the database.
 *
 * @param makesDatabase Whether the command may be the first on its data folder.
 * @throws CliError where something else has the folder, or where it holds no data and the command makes none.
 */
export async function operate<T>(
  context: CommandContext,
  work: (operator: Operator) => Promise<T>,
  { makesDatabase = false }: { readonly makesDatabase?: boolean } = {},
): Promise<T> {
  const beside = await besideService(context);
  if (beside) return work(beside);
  if (!makesDatabase) await requireOwnData(context);
  // What works on the database is loaded only where no service answers.
  const { FolderInUseError } = await import('@svc-memory/core');
  const { withEngine } = await import('./direct-engine.ts');
  try {
    return await withEngine(context, (engine) =>
      work({ engine, perform: (action, input) => action.run(engine, input) }),
    );
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    // It may have been starting.
    const started = await besideService(context);
    if (!started) throw explainSilence(error);
    return work(started);
  }
}

/** These commands take no address of a service: only the folder can be another one. */
async function requireOwnData({ env }: CommandContext): Promise<void> {
  const config = loadConfig(env);
  await requireData(config, { saved: savedCredentials(config.dataDir)?.apiUrl });
}

async function besideService({ env }: CommandContext): Promise<Operator | undefined> {
  const { databaseUrl, dataDir } = loadConfig(env);
  const ask = databaseUrl === undefined ? await findService(dataDir) : undefined;
  if (!ask) return undefined;
  return { perform: async (action, input) => action.output.parse(await ask(action.name, Object(input))) };
}
