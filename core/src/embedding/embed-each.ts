import type { MadeVector } from '../recall/store-vectors.ts';
import type { Spaces } from './spaces.ts';

/** What an embedder that is there can embed. */
const HARMLESS = 'Is anybody there?';

/** A memory to embed. */
export interface Unembedded {
  readonly memory_id: string;
  readonly version: number;
  readonly content: string;
}

/** What came of it: vectors, and memories whose text the model does not take. */
export interface EmbeddedEach<Item extends Unembedded> {
  readonly made: readonly (Item & MadeVector)[];
  readonly refused: readonly Item[];
  /** Why, of the first that failed. */
  readonly error?: unknown;
}

/**
 * Embeds memories, all at once where that works: one text the model cannot take must not keep the others waiting.
 *
 * @returns `away` where the embedder takes no text at all. Throws only when the signal fires.
 */
export async function embedEach<Item extends Unembedded>(
  spaces: Spaces,
  model: string,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<EmbeddedEach<Item> | 'away'> {
  if (items.length === 0) return { made: [], refused: [] };
  try {
    return { made: await embedAll(spaces, model, items, signal), refused: [] };
  } catch (error) {
    signal.throwIfAborted();
    if (await isAway(spaces, model, signal)) return 'away';
    const made: (Item & MadeVector)[] = [];
    const refused: Item[] = [];
    for (const item of items) {
      try {
        made.push(...(await embedAll(spaces, model, [item], signal)));
      } catch {
        signal.throwIfAborted();
        refused.push(item);
      }
    }
    return { made, refused, error };
  }
}

/** Whether an embedder takes no text at all. */
export async function isAway(spaces: Spaces, model: string, signal: AbortSignal): Promise<boolean> {
  try {
    await spaces.embed(model, [HARMLESS], signal);
    return false;
  } catch {
    signal.throwIfAborted();
    return true;
  }
}

async function embedAll<Item extends Unembedded>(
  spaces: Spaces,
  model: string,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<(Item & MadeVector)[]> {
  const contents = items.map(({ content }) => content);
  const { vectors } = await spaces.embed(model, contents, signal);
  return items.map((item, index) => ({ ...item, vector: vectors[index] as Float32Array }));
}
