import { eq } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import type { AnalyzedQuery } from '../../text/analyze-query.ts';
import { type Calibration, EmbedderError } from './embedder.ts';
import type { MeasuredModel } from './measured-model.ts';

/** A query's vector. It is compared only with vectors of the same model. */
export interface QueryVector {
  readonly model: string;
  readonly values: Float32Array;
  readonly calibration: Calibration;
}

/**
 * Embeds a query. Returns undefined when the embedder is unavailable, slow, or missing in this process.
 *
 * @throws the reason of the caller's signal when that is aborted.
 */
export async function embedQuery(
  context: Context,
  model: string,
  query: Pick<AnalyzedQuery, 'focus' | 'language'>,
): Promise<QueryVector | undefined> {
  const { embeddingModels, logger, options, settings } = context;
  try {
    // The caller's signal is not passed on: the vector is cached, and other callers may wait for the same one.
    const work = embeddingModels.embed(model, [query.focus], undefined, 'query');
    const { model: measured, vectors } = await withTimeout(work, settings.recallPatienceMs, options.signal);
    const [values] = vectors;
    return values && { model, values, calibration: calibrationFor(measured, query) };
  } catch (error) {
    options.signal?.throwIfAborted();
    logger.warn({ err: error, model }, 'embedder is away; recall by words only');
    return undefined;
  }
}

/** How a model's cosines are to be read for one query: not at all in a language that it does not know. */
function calibrationFor(
  { calibration, languages }: Pick<MeasuredModel, 'calibration' | 'languages'>,
  { language }: Pick<AnalyzedQuery, 'language'>,
): Calibration {
  const isKnown = !languages || (language !== undefined && languages.includes(language));
  return isKnown ? calibration : { ...calibration, trust: 0 };
}

export async function readActiveModel(tx: Tx, { tenantId, embeddingModels }: Context): Promise<string> {
  const [tenant] = await tx
    .select({ model: tenants.embeddingModel })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return tenant?.model ?? embeddingModels.current;
}

/**
 * Waits for the embedder for a limited time. After a timeout the work goes on: a model that is being loaded gets loaded,
 * and the vector of a query is cached for the next recall.
 *
 * @throws EmbedderError `timeout`; the signal's reason when that is aborted first.
 */
async function withTimeout<T>(work: Promise<T>, milliseconds: number, signal?: AbortSignal): Promise<T> {
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

/**
 * Embeds texts for a call that goes on without vectors when the embedder is unavailable or slow.
 *
 * @returns the vectors of the current embedder in order, or undefined. Throws only when the call itself was aborted.
 */
export async function tryEmbed(
  { embeddingModels, logger, options, settings }: Context,
  texts: readonly string[],
): Promise<Float32Array[] | undefined> {
  if (texts.length === 0) return [];
  const { signal } = options;
  signal?.throwIfAborted();
  const ending = new AbortController();
  try {
    const work = embeddingModels.embed(embeddingModels.current, texts, ending.signal, 'memory');
    return (await withTimeout(work, settings.writePatienceMs, signal)).vectors;
  } catch (error) {
    // Where the caller has gone nobody waits for them; after a timeout they are queued and embedded later.
    ending.abort(signal?.reason);
    signal?.throwIfAborted();
    logger.warn({ err: error, model: embeddingModels.current }, 'embedder is away; vectors are queued');
    return undefined;
  }
}
