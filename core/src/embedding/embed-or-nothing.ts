import type { Context } from '../engine/context.ts';
import { withPatience } from './patience.ts';

/**
 * Embeds texts for a call that goes on without vectors when the embedder is away or slow.
 *
 * @param instead What is done then, for the log.
 * @returns The vectors of the current embedder in order, or undefined. Throws only when the call itself was aborted.
 */
export async function embedOrNothing(
  { spaces, logger, options, settings }: Context,
  texts: readonly string[],
  instead: string,
): Promise<Float32Array[] | undefined> {
  if (texts.length === 0) return [];
  // What a write waited for in vain is embedded later: nothing is gained by going on with it now.
  const ending = new AbortController();
  const { signal } = options;
  try {
    const all = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
    const work = spaces.embed(spaces.current, texts, all, 'memory');
    return (await withPatience(work, settings.writePatienceMs, signal)).vectors;
  } catch (error) {
    signal?.throwIfAborted();
    logger.warn({ err: error, model: spaces.current }, `embedder is away; ${instead}`);
    return undefined;
  } finally {
    ending.abort();
  }
}
