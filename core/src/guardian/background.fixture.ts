import type { Embedder } from '../embedding/embedder.ts';
import { createSpaces } from '../embedding/spaces.ts';
import { createStaticEmbedder } from '../embedding/static/index.ts';
import { createAdditions } from '../engine/additions.ts';
import type { Dependencies } from '../engine/context.ts';
import { DEFAULT_SETTINGS } from '../engine/engine.ts';
import { PluginHost } from '../engine/plugins.ts';
import { silentLogger, uuidV7 } from '../engine/ports.ts';
import { createUses } from '../engine/uses.ts';
import { createResidents } from '../recall/resident/residents.ts';
import { createSizes } from '../recall/sizes.ts';
import type { TestEngine } from '../testing/index.ts';

/** What background work of a test engine runs on. */
export function dependenciesOf(
  { engine, clock }: TestEngine,
  embedder: Embedder = createStaticEmbedder(),
): Dependencies {
  const ports = { database: engine.database, embedder, clock, logger: silentLogger };
  return {
    ...ports,
    spaces: createSpaces(ports),
    sizes: createSizes(10_000),
    residents: createResidents(ports, 0),
    uses: createUses(engine.database),
    additions: createAdditions(engine.database, embedder),
    ids: uuidV7,
    plugins: new PluginHost(() => {}),
    settings: DEFAULT_SETTINGS,
  };
}
