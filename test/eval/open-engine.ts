import { createEngine, type Engine, type EngineOptions, openPglite } from '@svc-memory/core';
import { loadConfig } from '../../server/src/config/config.ts';
import { embeddingOf, rerankerOf } from '../../server/src/config/models.ts';

/** An evaluation waits for its models, however slow: a recall by words alone would be another measurement. */
const PATIENCE_MS = 600_000;

/**
 * An engine with default settings and the models that `SVC_EMBEDDER`, default `static`, and `SVC_RERANKER` name.
 *
 * @param options A database, where several engines share one; default: a new embedded one, in memory.
 */
export async function openEngine(
  options: Partial<Pick<EngineOptions, 'clock' | 'database' | 'settings'>> = {},
): Promise<Engine> {
  const config = loadConfig({ SVC_EMBEDDER: 'static', ...process.env });
  const patience = {
    recallPatienceMs: PATIENCE_MS,
    writePatienceMs: PATIENCE_MS,
    rerankPatienceMs: PATIENCE_MS,
  };
  return createEngine({
    ...embeddingOf(config),
    ...rerankerOf(config),
    ...options,
    database: options.database ?? (await openPglite()),
    settings: { ...patience, ...options.settings },
  });
}
