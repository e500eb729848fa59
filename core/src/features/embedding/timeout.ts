import { EmbedderError } from './embedder-error.ts';

/**
 * Waits for the embedder for a limited time. After a timeout the work goes on: a model that is being loaded gets loaded,
 * and the vector of a query is cached for the next recall.
 *
 * @throws EmbedderError `timeout`; the signal's reason when that is aborted first.
 */
export async function withTimeout<T>(
  work: Promise<T>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new EmbedderError('timeout', `The embedder did not answer within ${milliseconds} ms.`)),
      milliseconds,
    );
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
    work.catch(() => {});
  }
}
