import { ConfigError } from '../../../config/config.ts';
import { languageModelOf } from '../../../config/models.ts';
import { type CheckResult, failureText, type Surroundings } from './check-result.ts';

const INSTRUCTIONS = 'Answer with the JSON object {"ok": true} and with nothing else.';
/** Milliseconds to wait: a first use may load the model. */
const PATIENCE_MS = 60_000;

/** Does the language model answer with JSON; nothing where none is named. */
export async function checkLanguageModel({ config }: Surroundings): Promise<CheckResult[]> {
  const meanwhile = 'Until then rules do its work.';
  try {
    const { llm } = languageModelOf(config);
    if (!llm) return [];
    const began = performance.now();
    const prompt = { instructions: INSTRUCTIONS, data: '{}' };
    const answer = await llm.complete(prompt, AbortSignal.timeout(PATIENCE_MS));
    const ms = Math.round(performance.now() - began);
    const name = `Language model: ${llm.model} at ${config.llmUrl}`;
    if (answer.includes('{')) return [{ state: 'ok', message: `${name} answers (${ms} ms)` }];
    const fix = `Set SVC_LLM_MODEL to a model that follows instructions. ${meanwhile}`;
    return [{ state: 'warning', message: `${name} does not answer with JSON when asked to`, fix }];
  } catch (error) {
    const message = `Language model: ${failureText(error)}`;
    const fix = `Check SVC_LLM_URL, SVC_LLM_MODEL and SVC_LLM_API_KEY. ${meanwhile}`;
    return [{ state: 'failure', message, ...(error instanceof ConfigError ? {} : { fix }) }];
  }
}
