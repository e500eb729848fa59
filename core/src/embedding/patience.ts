import { EmbedderError } from './embedder-error.ts';

/**
 * Waits for the embedder, but not for long. What is not waited for goes on by itself: a model that is being loaded gets
 * loaded, and the vector of a query is kept for the next time.
 *
 * @throws EmbedderError `timeout`; the signal's reason when it fires first.
 */
export async function withPatience<T>(
  work: Promise<T>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let give: (() => void) | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new EmbedderError('timeout', `The embedder did not answer within ${milliseconds} ms.`)),
      milliseconds,
    );
    give = () => reject(signal?.reason);
    signal?.addEventListener('abort', give, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    if (give) signal?.removeEventListener('abort', give);
    work.catch(() => {});
  }
}
