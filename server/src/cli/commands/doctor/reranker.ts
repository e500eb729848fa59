import { ConfigError } from '../../../config/config.ts';
import { rerankerOf } from '../../../config/models.ts';
import type { CheckResult, Surroundings } from './check-result.ts';

const QUERY = 'When do the beds get compost?';
const DOCUMENTS = ['The beds get compost in March.', 'The kettle whistles.'];
/** Milliseconds to wait: a first use may load the model. */
const PATIENCE_MS = 60_000;

/** Does the reranker tell an answer from another text; nothing where there is none. */
export async function checkReranker({ config }: Surroundings): Promise<CheckResult[]> {
  const meanwhile = 'Until then recall goes by its own order.';
  try {
    const { reranker } = rerankerOf(config);
    if (!reranker) return [];
    const began = performance.now();
    const [better = 0, worse = 0] = await reranker.rerank(QUERY, DOCUMENTS, AbortSignal.timeout(PATIENCE_MS));
    const ms = Math.round(performance.now() - began);
    const name = `Reranker: ${reranker.model}`;
    if (better > worse) return [{ state: 'ok', message: `${name} tells what answers a question (${ms} ms)` }];
    const fix = 'Set SVC_RERANKER_MODEL to a model for reranking.';
    return [{ state: 'warning', message: `${name} does not tell an answer from another text`, fix }];
  } catch (error) {
    const message = `Reranker: ${error instanceof Error ? error.message : String(error)}`;
    return [{ state: 'failure', message, ...(error instanceof ConfigError ? {} : { fix: meanwhile }) }];
  }
}
