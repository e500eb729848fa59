import type { EmbeddingModels } from './embedding-models.ts';

/** A text that every available embedder can embed. */
const PROBE_TEXT = 'Is anybody there?';

export interface Unembedded {
  readonly memory_id: string;
  readonly version: number;
  readonly content: string;
}

export interface MadeVector {
  readonly memory_id: string;
  readonly version: number;
  readonly vector: Float32Array;
}

/** The vectors, the memories whose text the model refuses, and those that it was not there for. */
interface EmbeddedEach<Item extends Unembedded> {
  readonly made: readonly (Item & MadeVector)[];
  readonly refused: readonly Item[];
  /** The memories from the first on at which the embedder refused every text; all came after `made` and `refused`. */
  readonly left: readonly Item[];
  /** The first failure. */
  readonly error?: unknown;
}

/**
 * Embeds memories in one request. When that fails, embeds them one by one, so that a text the model refuses does not block
 * the others. Throws only when the signal is aborted.
 */
export async function embedEach<Item extends Unembedded>(
  embeddingModels: EmbeddingModels,
  model: string,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<EmbeddedEach<Item>> {
  if (items.length === 0) return { made: [], refused: [], left: [] };
  try {
    return { made: await embedAll(embeddingModels, model, items, signal), refused: [], left: [] };
  } catch (error) {
    signal.throwIfAborted();
    if (await isAway(embeddingModels, model, signal)) return { made: [], refused: [], left: items, error };
    return { ...(await embedOneByOne(embeddingModels, model, items, signal)), error };
  }
}

async function embedOneByOne<Item extends Unembedded>(
  embeddingModels: EmbeddingModels,
  model: string,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<EmbeddedEach<Item>> {
  const made: (Item & MadeVector)[] = [];
  const refused: Item[] = [];
  for (const [place, item] of items.entries()) {
    try {
      made.push(...(await embedAll(embeddingModels, model, [item], signal)));
    } catch {
      signal.throwIfAborted();
      // An embedder that went away meanwhile says nothing of the text.
      if (await isAway(embeddingModels, model, signal)) return { made, refused, left: items.slice(place) };
      refused.push(item);
    }
  }
  return { made, refused, left: [] };
}

/** Whether an embedder refuses every text. */
export async function isAway(
  embeddingModels: EmbeddingModels,
  model: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await embeddingModels.embedBacklog(model, [PROBE_TEXT], signal);
    return false;
  } catch {
    signal.throwIfAborted();
    return true;
  }
}

async function embedAll<Item extends Unembedded>(
  embeddingModels: EmbeddingModels,
  model: string,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<(Item & MadeVector)[]> {
  const contents = items.map(({ content }) => content);
  const { vectors } = await embeddingModels.embedBacklog(model, contents, signal);
  return items.map((item, index) => ({ ...item, vector: vectors[index] as Float32Array }));
}
