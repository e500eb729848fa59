import { loadConfig, maskUrl } from '../config.ts';
import { EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { openDatabase } from './database.ts';

/** Brings the database up to date, as every start of the service does. */
export async function migrate({ env, terminal }: CommandContext): Promise<number> {
  const config = loadConfig(env);
  const database = await openDatabase(config);
  await database.close();
  terminal.out(
    `The database is up to date: ${config.databaseUrl ? maskUrl(config.databaseUrl) : config.dataDir}`,
  );
  return EXIT.ok;
}
