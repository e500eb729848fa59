import { createServices } from '../../app/create-services.ts';
import type { Services } from '../../kernel/context/context.ts';
import type { TestEngine } from '../../testing/index.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { createStaticEmbedder } from '../embedding/static/static-embedder.ts';

/** What background work of a test engine runs on. */
export function servicesOf(
  { engine, clock }: TestEngine,
  embedder: Embedder = createStaticEmbedder(),
): Services {
  return createServices({ database: engine.database, clock, embedder, settings: { recallHeldBytes: 0 } });
}
