import { ConfigError } from '../../../config/config.ts';
import { languageModelOf, rerankerOf } from '../../../config/models.ts';
import { errorText } from '../../../control/cli-error.ts';
import { type CheckResult, failure, failureText, ok, type Surroundings, warning } from './check-result.ts';

const QUERY = 'When do the beds get compost?';
const DOCUMENTS = ['The beds get compost in March.', 'The kettle whistles.'];
const INSTRUCTIONS = 'Answer with the JSON object {"ok": true} and with nothing else.';
/** Milliseconds to wait: a first use may load the model. */
const PATIENCE_MS = 60_000;

/** Does the reranker tell an answer from another text; nothing where there is none. */
export async function checkReranker({ config }: Surroundings): Promise<CheckResult[]> {
  const meanwhile = 'Until then recall goes by its own order.';
  try {
    const { reranker } = rerankerOf(config);
    if (!reranker) return [];
    const [[better = 0, worse = 0], ms] = await timed(() =>
      reranker.rerank(QUERY, DOCUMENTS, AbortSignal.timeout(PATIENCE_MS)),
    );
    const name = `Reranker: ${reranker.model}`;
    if (better > worse) return [ok(`${name} tells what answers a question (${ms} ms)`)];
    const fix = 'Set SVC_RERANKER_MODEL to a model for reranking.';
    return [warning(`${name} does not tell an answer from another text`, fix)];
  } catch (error) {
    return [failure(`Reranker: ${errorText(error)}`, fixUnlessSaid(error, meanwhile))];
  }
}

/** Does the language model answer with JSON; nothing where none is named. */
export async function checkLanguageModel({ config }: Surroundings): Promise<CheckResult[]> {
  const meanwhile = 'Until then rules do its work.';
  try {
    const { llm } = languageModelOf(config);
    if (!llm) return [];
    const prompt = { instructions: INSTRUCTIONS, data: '{}' };
    const [answer, ms] = await timed(() => llm.complete(prompt, AbortSignal.timeout(PATIENCE_MS)));
    const name = `Language model: ${llm.model} at ${config.llmUrl}`;
    if (answer.includes('{')) return [ok(`${name} answers (${ms} ms)`)];
    const fix = `Set SVC_LLM_MODEL to a model that follows instructions. ${meanwhile}`;
    return [warning(`${name} does not answer with JSON when asked to`, fix)];
  } catch (error) {
    const fix = `Check SVC_LLM_URL, SVC_LLM_MODEL and SVC_LLM_API_KEY. ${meanwhile}`;
    return [failure(`Language model: ${failureText(error)}`, fixUnlessSaid(error, fix))];
  }
}

/** What a call answers, and how many milliseconds it took. */
export async function timed<T>(call: () => Promise<T>): Promise<readonly [answer: T, ms: number]> {
  const began = performance.now();
  const answer = await call();
  return [answer, Math.round(performance.now() - began)];
}

/** Mistakes of the configuration say themselves what to do. */
export function fixUnlessSaid(error: unknown, fix: string): string | undefined {
  return error instanceof ConfigError ? undefined : fix;
}
