import { LRUCache } from 'lru-cache';
import { type Calibration, type Embedder, EmbedderError, type Purpose } from '../embedder.ts';
import { toUnitVectors } from '../unit-vectors.ts';
import { type Kind, ModelPolicies, type Resilience } from './policies.ts';
import { averageVectors, estimateTokens, halve, splitToLimit } from './split-to-limit.ts';

const REQUEST_TOKENS = 100_000;
const DEFAULT_BATCH = 64;
const CACHED_QUERIES = 1_000;

/** A model behind a network or in another thread: slow, and sometimes unavailable. */
interface RemoteModel {
  readonly model: string;
  readonly dimensions?: number;
  readonly calibration?: Calibration;
  /** Most tokens of a text that the model reads. Longer texts are split, and the vectors of the pieces averaged. */
  readonly maxTokens: number;
  /** Most texts in a request; default 64, or less where the model rejects so many. */
  readonly maxBatch?: number;
  /** Text that some models expect before a query or a memory. */
  readonly queryPrefix?: string;
  readonly memoryPrefix?: string;
  /**
   * Sends one request.
   *
   * @returns vectors of any length: the caller checks and normalises them.
   * @throws EmbedderError with the reason; any other error counts as `failed`.
   */
  request(
    texts: readonly string[],
    signal: AbortSignal,
    purpose: Purpose,
  ): Promise<readonly ArrayLike<number>[]>;
}

/**
 * Creates an embedder for a model that may be slow or unavailable. It sends requests in batches, limits concurrent ones,
 * retries where that may help, pauses after repeated failures, and caches the vectors of the last 1,000 queries.
 */
export function createRemoteEmbedder(remote: RemoteModel, resilience: Resilience = {}): Embedder {
  const requests = new BatchedRequests(remote, resilience);
  const queries = new LRUCache<string, Float32Array>({
    max: CACHED_QUERIES,
    // Callers with the same query share the request, so none of them may abort it.
    fetchMethod: async (text) => (await requests.embed([text], undefined, 'query'))[0],
  });
  return {
    model: remote.model,
    ...(remote.dimensions === undefined ? {} : { dimensions: remote.dimensions }),
    ...(remote.calibration === undefined ? {} : { calibration: remote.calibration }),
    embedBacklog: (texts, signal) => requests.embed(texts, signal, 'backlog'),
    embed: async (texts, signal, purpose = 'memory') => {
      if (purpose === 'memory' || texts.length > 1) return requests.embed(texts, signal, purpose);
      return Promise.all(texts.map(async (text) => (await queries.fetch(text)) as Float32Array));
    },
    forgetTexts: () => queries.clear(),
  };
}

/** Embeds texts of any number and length by requests that the model accepts. */
class BatchedRequests {
  readonly #remote: RemoteModel;
  readonly #policies: ModelPolicies;
  #maxBatch: number;

  constructor(remote: RemoteModel, resilience: Resilience) {
    this.#remote = remote;
    this.#policies = new ModelPolicies(remote.model, resilience);
    this.#maxBatch = Math.max(1, remote.maxBatch ?? DEFAULT_BATCH);
  }

  async embed(
    texts: readonly string[],
    signal: AbortSignal | undefined,
    kind: Kind,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const { model, maxTokens, queryPrefix, memoryPrefix } = this.#remote;
    const prefix = (kind === 'query' ? queryPrefix : memoryPrefix) ?? '';
    // A model may refuse an empty text, or return no vector for it.
    const splitTexts = texts.map((text) => splitToLimit(text.trim() === '' ? '.' : text, maxTokens));
    const pieces = splitTexts.flat().map((piece) => prefix + piece);
    const answers = await Promise.all(
      inBatches(pieces, this.#maxBatch).map((batch) => this.#requestBatch(batch, kind, signal)),
    );
    const vectors = answers.flatMap((answer) => answer.vectors);
    let at = 0;
    const averaged = splitTexts.map((own) => {
      at += own.length;
      return averageVectors(vectors.slice(at - own.length, at), own);
    });
    return toUnitVectors(averaged, { model, count: texts.length });
  }

  #request(texts: readonly string[], kind: Kind, signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const { model, dimensions } = this.#remote;
    return this.#policies.run(kind, signal, async (inner) => {
      const vectors = await this.#remote.request(texts, inner, kind === 'query' ? 'query' : 'memory');
      return toUnitVectors(vectors, { model, count: texts.length, dimensions });
    });
  }

  /**
   * Requests a batch. One that is rejected may have too many texts, so its halves are tried, and where both are taken no batch is
   * larger from then on.
   */
  async #requestBatch(
    batch: readonly string[],
    kind: Kind,
    signal: AbortSignal | undefined,
  ): Promise<BatchAnswer> {
    try {
      return { vectors: await this.#request(batch, kind, signal), isWhole: true };
    } catch (error) {
      if (!(error instanceof EmbedderError && error.failure === 'rejected')) throw error;
      const [piece = '', ...others] = batch;
      if (others.length === 0)
        return { vectors: [await this.#requestHalves(piece, error, kind, signal)], isWhole: false };
      const middle = Math.ceil(batch.length / 2);
      const first = await this.#requestBatch(batch.slice(0, middle), kind, signal);
      const second = await this.#requestBatch(batch.slice(middle), kind, signal);
      if (first.isWhole && second.isWhole) this.#maxBatch = Math.min(this.#maxBatch, middle);
      return { vectors: [...first.vectors, ...second.vectors], isWhole: false };
    }
  }

  /** Requests the halves of a piece that was rejected: it may be too long after all. */
  async #requestHalves(
    piece: string,
    rejection: EmbedderError,
    kind: Kind,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array> {
    const halves = halve(piece);
    if (!halves) throw rejection;
    const vectors: Float32Array[] = [];
    for (const half of halves) vectors.push(...(await this.#requestBatch([half], kind, signal)).vectors);
    return averageVectors(vectors, halves);
  }
}

/** Vectors of a batch, and whether the server took it at once. */
interface BatchAnswer {
  readonly vectors: readonly Float32Array[];
  readonly isWhole: boolean;
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
