import { createEngine, type Engine } from '@svc-memory/core';
import { readModelInUse } from '@svc-memory/core/server';
import { loadConfig } from '../../config/config.ts';
import { checkModels, chooseEmbedding, engineOptionsOf } from '../../config/models.ts';
import type { CommandContext } from '../console/command.ts';
import { openDatabase } from './database.ts';

/**
 * Works on the database itself: any time on Postgres; with the embedded database only while the service is stopped,
 * since two processes on one folder would destroy each other's writes.
 *
 * @throws FolderInUseError while the embedded service runs.
 */
export async function withEngine<T>(
  { env }: CommandContext,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const config = loadConfig(env);
  // Mistakes in the configuration show before the database is opened.
  checkModels(config);
  const database = await openDatabase(config);
  const embedding = await chooseEmbedding(config, () => readModelInUse(database)).catch(
    async (error: unknown) => {
      await database.close();
      throw error;
    },
  );
  const { embedder, embedderFor } = embedding;
  const engine = createEngine({
    embedder,
    embedderFor,
    ...engineOptionsOf(config),
    database,
  });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
