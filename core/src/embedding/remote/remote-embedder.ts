import { LRUCache } from 'lru-cache';
import type { Calibration, Embedder, Purpose } from '../embedder.ts';
import { EmbedderError } from '../embedder-error.ts';
import { toUnitVectors } from '../unit-vectors.ts';
import { cut, estimateTokens, halve, pool } from './pieces.ts';
import { createPolicies, type Resilience } from './policies.ts';

/** Tokens that one request holds at most, whatever its number of texts. */
const REQUEST_TOKENS = 100_000;
const DEFAULT_BATCH = 64;
const CACHED_QUERIES = 1_000;

/** A model that is asked over a network or in another thread: slow, and sometimes away. */
export interface RemoteModel {
  readonly model: string;
  readonly dimensions?: number;
  readonly calibration?: Calibration;
  /** Tokens of a text that the model reads; longer texts are cut, and the vectors of the pieces averaged. */
  readonly maxTokens: number;
  /** Most texts in a request; default 64. */
  readonly maxBatch?: number;
  /** Put before texts, as some models want it. */
  readonly queryPrefix?: string;
  readonly memoryPrefix?: string;
  /**
   * One request.
   *
   * @returns any vectors: they are checked, and made unit-long, by whoever asks.
   * @throws EmbedderError that says what failed; anything else counts as `failed`.
   */
  request(
    texts: readonly string[],
    signal: AbortSignal,
    purpose: Purpose,
  ): Promise<readonly ArrayLike<number>[]>;
}

/**
 * An embedder that lives with a model that is slow or away: requests in batches, few at a time; tried again where that
 * may help, never sooner than the server asks; not asked at all for a while after it failed again and again; vectors of
 * the last 1,000 queries kept.
 */
export function createRemoteEmbedder(remote: RemoteModel, resilience: Resilience = {}): Embedder {
  const policies = createPolicies(remote.model, resilience);
  const maxBatch = Math.max(1, remote.maxBatch ?? DEFAULT_BATCH);

  const ask = async (
    texts: readonly string[],
    purpose: Purpose,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> =>
    policies.run(purpose, signal, async (inner) => {
      const vectors = await remote.request(texts, inner, purpose);
      return toUnitVectors(vectors, {
        model: remote.model,
        count: texts.length,
        dimensions: remote.dimensions,
      });
    });

  /** A text that is refused may be too long after all; where it is not, its halves are refused as well. */
  const askOne = async (piece: string, purpose: Purpose, signal?: AbortSignal): Promise<Float32Array> => {
    try {
      const [vector] = await ask([piece], purpose, signal);
      return vector as Float32Array;
    } catch (error) {
      const halves =
        error instanceof EmbedderError && error.failure === 'rejected' ? halve(piece) : undefined;
      if (!halves) throw error;
      const vectors = [await askOne(halves[0], purpose, signal), await askOne(halves[1], purpose, signal)];
      return pool(vectors, halves);
    }
  };

  const embed = async (texts: readonly string[], signal: AbortSignal | undefined, purpose: Purpose) => {
    signal?.throwIfAborted();
    const prefix = (purpose === 'query' ? remote.queryPrefix : remote.memoryPrefix) ?? '';
    // A model may refuse an empty text, or answer it with no vector.
    const cutTexts = texts.map((text) => cut(text.trim() === '' ? '.' : text, remote.maxTokens));
    const pieces = cutTexts.flat().map((piece) => prefix + piece);
    const batches = inBatches(pieces, maxBatch);
    const answers = await Promise.all(
      batches.map(async (batch) =>
        batch.length === 1 ? [await askOne(batch[0] ?? '', purpose, signal)] : ask(batch, purpose, signal),
      ),
    );
    const vectors = answers.flat();
    let at = 0;
    const pooled = cutTexts.map((own) => {
      at += own.length;
      return pool(vectors.slice(at - own.length, at), own);
    });
    return toUnitVectors(pooled, { model: remote.model, count: texts.length });
  };

  const queries = new LRUCache<string, Float32Array>({
    max: CACHED_QUERIES,
    // Callers with the same query share the request, so that none of them may end it.
    fetchMethod: async (text) => (await embed([text], undefined, 'query'))[0],
  });
  return {
    model: remote.model,
    ...(remote.dimensions === undefined ? {} : { dimensions: remote.dimensions }),
    ...(remote.calibration === undefined ? {} : { calibration: remote.calibration }),
    embed: async (texts, signal, purpose = 'memory') => {
      if (purpose === 'memory' || texts.length > 1) return embed(texts, signal, purpose);
      return Promise.all(texts.map(async (text) => (await queries.fetch(text)) as Float32Array));
    },
  };
}

function inBatches(pieces: readonly string[], maxBatch: number): string[][] {
  const batches: string[][] = [];
  let tokens = 0;
  for (const piece of pieces) {
    const own = estimateTokens(piece);
    const last = batches.at(-1);
    if (last && last.length < maxBatch && tokens + own <= REQUEST_TOKENS) {
      last.push(piece);
      tokens += own;
    } else {
      batches.push([piece]);
      tokens = own;
    }
  }
  return batches;
}
