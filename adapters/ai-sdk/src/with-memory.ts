import { wrapLanguageModel } from 'ai';
import { type MiddlewareOptions, memoryMiddleware } from './middleware.ts';

type Wrapped = Parameters<typeof wrapLanguageModel>[0];

/** A language model that has its agent's memory; see `memoryMiddleware`. Throws `TypeError` for a wrong argument. */
export function withMemory(
  model: Wrapped['model'],
  options: MiddlewareOptions,
): ReturnType<typeof wrapLanguageModel> {
  if (typeof model !== 'object' || model === null) {
    throw new TypeError(
      "withMemory: model must be a language model object, such as openai('gpt-5') or gateway('openai/gpt-5')",
    );
  }
  return wrapLanguageModel({ model, middleware: memoryMiddleware(options) });
}
