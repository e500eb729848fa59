import type { Context } from '../../kernel/context/context.ts';
import { withTimeout } from './timeout.ts';

/**
 * Embeds texts for a call that goes on without vectors when the embedder is unavailable or slow.
 *
 * @param instead What the call does then, for the log.
 * @returns the vectors of the current embedder in order, or undefined. Throws only when the call itself was aborted.
 */
export async function tryEmbed(
  { embeddingModels, logger, options, settings }: Context,
  texts: readonly string[],
  instead: string,
): Promise<Float32Array[] | undefined> {
  if (texts.length === 0) return [];
  const ending = new AbortController();
  const { signal } = options;
  try {
    const all = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
    const work = embeddingModels.embed(embeddingModels.current, texts, all, 'memory');
    return (await withTimeout(work, settings.writePatienceMs, signal)).vectors;
  } catch (error) {
    // After a timeout the texts are queued and embedded later, so the request is aborted.
    ending.abort();
    signal?.throwIfAborted();
    logger.warn({ err: error, model: embeddingModels.current }, `embedder is away; ${instead}`);
    return undefined;
  }
}
