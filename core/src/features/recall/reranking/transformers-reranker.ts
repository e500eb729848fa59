import { explainLoading, importTransformers } from '../../embedding/remote/transformers-package.ts';
import type { Reranker } from './reranker.ts';

/** What is used of `@huggingface/transformers`. */
export interface CrossEncoderLibrary {
  readonly AutoTokenizer: {
    from_pretrained(
      model: string,
    ): Promise<
      (queries: string[], options: { text_pair: string[]; padding: true; truncation: true }) => object
    >;
  };
  readonly AutoModelForSequenceClassification: {
    from_pretrained(
      model: string,
      options: { dtype: string },
    ): Promise<(inputs: object) => Promise<{ logits: { tolist(): number[][]; dispose?(): unknown } }>>;
  };
}

/** Which model, and how it runs. */
export interface TransformersRerankerOptions {
  /** Its name on the Hugging Face hub, such as `Xenova/ms-marco-MiniLM-L-6-v2`, or a local folder. */
  readonly model: string;
  /** Precision of the weights; default `q8`. */
  readonly dtype?: string | undefined;
  /** Loads the library; default: the installed package. */
  readonly load?: (() => Promise<CrossEncoderLibrary>) | undefined;
}

/** Documents computed at once. A call that has ended is not computed further than these. */
const BATCH = 8;

/**
 * Reranks in this process by a cross-encoder of the Hugging Face hub, downloaded at first use. Needs the package
 * `@huggingface/transformers`, which is not installed by default.
 */
export function transformersReranker(options: TransformersRerankerOptions): Reranker {
  const { model, dtype = 'q8', load = () => importTransformers<CrossEncoderLibrary>() } = options;
  const loadModel = async () => {
    const { AutoTokenizer, AutoModelForSequenceClassification } = await load();
    const [tokenize, classify] = await Promise.all([
      AutoTokenizer.from_pretrained(model),
      AutoModelForSequenceClassification.from_pretrained(model, { dtype }),
    ]);
    return { tokenize, classify };
  };
  let loading: ReturnType<typeof loadModel> | undefined;
  const loaded = () => {
    loading ??= loadModel().catch((error: unknown) => {
      // Tried again at the next request: the network may be back, the package installed.
      loading = undefined;
      throw new Error(explainLoading(`reranker transformers:${model}`, error));
    });
    return loading;
  };
  return {
    model: `transformers:${model}`,
    rerank: async (query, documents, signal) => {
      const { tokenize, classify } = await loaded();
      const scores: number[] = [];
      for (let start = 0; start < documents.length; start += BATCH) {
        signal.throwIfAborted();
        const batch = documents.slice(start, start + BATCH);
        const queries = batch.map(() => query);
        const inputs = tokenize(queries, { text_pair: batch, padding: true, truncation: true });
        const { logits } = await classify(inputs);
        // A model with two classes says by the last one how relevant a document is.
        scores.push(...logits.tolist().map((row) => row.at(-1) ?? Number.NaN));
        logits.dispose?.();
      }
      return scores;
    },
  };
}
