import { wrapLanguageModel } from 'ai';
import { type MiddlewareOptions, memoryMiddleware } from './middleware.ts';

type Wrapped = Parameters<typeof wrapLanguageModel>[0];

/** A language model that has its agent's memory; see `memoryMiddleware`. */
export function withMemory(
  model: Wrapped['model'],
  options: MiddlewareOptions,
): ReturnType<typeof wrapLanguageModel> {
  return wrapLanguageModel({ model, middleware: memoryMiddleware(options) });
}
