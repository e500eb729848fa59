import { MINUTE_MS } from '../../../kernel/runtime/durations.ts';
import { type Calibration, type Embedder, EmbedderError } from '../embedder.ts';
import { profileOf } from './model-profile.ts';
import type { Resilience } from './policies.ts';
import { createRemoteEmbedder } from './remote-embedder.ts';
import { explainLoading, importTransformers } from './transformers-package.ts';

/** What is used of `@huggingface/transformers`. */
export interface Transformers {
  readonly env?: { allowRemoteModels: boolean };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { dtype: string; local_files_only?: boolean },
  ): Promise<
    (
      texts: string[],
      options: { pooling: string; normalize: boolean },
    ) => Promise<{ tolist(): number[][]; dispose?(): unknown }>
  >;
}

/** Which model, and how it runs. */
export interface TransformersEmbedderOptions extends Resilience {
  /** Its name on the Hugging Face hub, such as `Xenova/all-MiniLM-L6-v2`, or a local folder. */
  readonly model: string;
  /** Precision of the weights; default `q8`, a quarter of the size of `fp32` and nearly as good. */
  readonly dtype?: string | undefined;
  /** How the vectors of the tokens become one; default: by the model's name, else `mean`. */
  readonly pooling?: 'mean' | 'cls' | 'last_token' | undefined;
  /** Default: measured at first use. */
  readonly calibration?: Calibration | undefined;
  /** Whether only a model that is on this machine already is used, and none downloaded; default false. */
  readonly localOnly?: boolean | undefined;
  /** Loads the library; default: the installed package. */
  readonly load?: (() => Promise<Transformers>) | undefined;
}

/** One at a time, and small batches: the model computes on this machine's processor. */
const BATCH = 16;
/** The first request also downloads the model. */
const TIMEOUT_MS = 10 * MINUTE_MS;

/**
 * Embeds in this process by a model of the Hugging Face hub, downloaded at first use. Needs the package
 * `@huggingface/transformers`, which is not installed by default. Vectors are named `transformers:<model>`.
 */
export function transformersEmbedder(options: TransformersEmbedderOptions): Embedder {
  const {
    model,
    dtype = 'q8',
    pooling = poolingOf(model),
    calibration,
    localOnly = false,
    load = () => importTransformers<Transformers>(),
    ...resilience
  } = options;
  const name = `transformers:${model}`;
  let loading: ReturnType<Transformers['pipeline']> | undefined;
  const extractor = () => {
    loading ??= load()
      .then((library) => (localOnly ? loadFromDisk(library, model, dtype) : loadModel(library, model, dtype)))
      .catch((error: unknown) => {
        // Tried again at the next request: the network may be back, the package installed.
        loading = undefined;
        throw new EmbedderError('refused', explainLoading(`embedder ${name}`, error));
      });
    return loading;
  };
  return createRemoteEmbedder(
    {
      ...profileOf(model),
      model: name,
      maxBatch: BATCH,
      ...(calibration === undefined ? {} : { calibration }),
      request: async (texts) => {
        const extract = await extractor();
        const tensor = await extract([...texts], { pooling, normalize: true });
        const vectors = tensor.tolist();
        tensor.dispose?.();
        return vectors;
      },
    },
    { timeoutMs: TIMEOUT_MS, concurrency: 1, retries: 0, ...resilience },
  );
}

function loadModel(library: Transformers, model: string, dtype: string) {
  return library.pipeline('feature-extraction', model, { dtype });
}

/** Loads a model without asking the hub: with `local_files_only` alone the library still fetches the configuration. */
async function loadFromDisk(library: Transformers, model: string, dtype: string) {
  const { env } = library;
  const isAllowed = env?.allowRemoteModels;
  if (env) env.allowRemoteModels = false;
  try {
    return await library.pipeline('feature-extraction', model, { dtype, local_files_only: true });
  } finally {
    // The library has one switch for all its models, and others may be downloaded.
    if (env && isAllowed) env.allowRemoteModels = true;
  }
}

/** Families whose vector is that of their first or last token, as their cards say. */
function poolingOf(model: string): 'mean' | 'cls' | 'last_token' {
  const name = model.toLowerCase();
  if (/qwen3-embedding/.test(name)) return 'last_token';
  return /bge-|mxbai-embed|arctic-embed/.test(name) ? 'cls' : 'mean';
}
