import type { Context } from '../engine/context.ts';

/**
 * Embeds texts for a call that goes on without vectors when the embedder is away.
 *
 * @param instead What is done then, for the log.
 * @returns The vectors in order, or undefined. Throws only when the call itself was aborted.
 */
export async function embedOrNothing(
  { embedder, logger, options }: Context,
  texts: readonly string[],
  instead: string,
): Promise<Float32Array[] | undefined> {
  try {
    return await embedder.embed(texts, options.signal);
  } catch (error) {
    options.signal?.throwIfAborted();
    logger.warn({ err: error, model: embedder.model }, `embedder is away; ${instead}`);
    return undefined;
  }
}
