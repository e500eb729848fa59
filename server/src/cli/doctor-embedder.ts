import { EmbedderError } from '@svc-memory/core';
import { type Config, ConfigError } from '../config.ts';
import { embeddingOf } from '../embedding.ts';
import type { Finding, Surroundings } from './doctor.ts';

const TEXTS = ['What did we decide about the garden?', 'The beds get compost in March.'];
const UNIT = 0.01;

/** Does the embedder make a vector. */
export async function checkEmbedder({ config }: Surroundings): Promise<Finding> {
  const where = config.embedderUrl === undefined ? '' : ` at ${config.embedderUrl}`;
  try {
    const { embedder } = embeddingOf(config);
    const began = performance.now();
    const vectors = await embedder.embed(TEXTS);
    const ms = Math.round(performance.now() - began);
    const numbers = vectors[0]?.length ?? 0;
    const proper = vectors.every((vector) => Math.abs(Math.hypot(...vector) - 1) < UNIT);
    if (vectors.length === TEXTS.length && numbers > 0 && proper) {
      const message = `Embedder: ${embedder.model}${where} gives vectors of ${numbers} numbers (${ms} ms)`;
      return { state: 'ok', message };
    }
    return {
      state: 'failure',
      message: `Embedder: ${embedder.model} gave no proper vector`,
      fix: fixOf(config),
    };
  } catch (error) {
    const message = `Embedder: ${error instanceof Error ? error.message : String(error)}`;
    if (error instanceof ConfigError) return { state: 'failure', message };
    const meanwhile = error instanceof EmbedderError ? ' Until then recall goes by words alone.' : '';
    return { state: 'failure', message, fix: `${fixOf(config)}${meanwhile}` };
  }
}

function fixOf({ embedder, embedderUrl }: Config): string {
  if (embedder === 'static') return 'Install the packages again: npm ci';
  if (embedder.startsWith('transformers:')) {
    return 'Install the package, and let this machine reach the Hugging Face hub for the first start.';
  }
  const server =
    embedderUrl === undefined ? 'SVC_EMBEDDER_API_KEY' : 'that the server runs and has the model';
  return `Check ${server}, and SVC_EMBEDDER, SVC_EMBEDDER_URL.`;
}
