import { createStaticEmbedder } from '../embedding/static/index.ts';
import type { Dependencies } from '../engine/context.ts';
import { PluginHost } from '../engine/plugins.ts';
import { silentLogger, uuidV7 } from '../engine/ports.ts';
import type { TestEngine } from '../testing/index.ts';

/** What background work of a test engine runs on. */
export function dependenciesOf(
  { engine, clock }: TestEngine,
  embedder = createStaticEmbedder(),
): Dependencies {
  return {
    database: engine.database,
    embedder,
    clock,
    ids: uuidV7,
    logger: silentLogger,
    plugins: new PluginHost(() => {}),
    settings: { guardianCoolingMs: 86_400_000, driftCheckSimilarity: 0.75, driftCheckCompactions: 25 },
  };
}
