import { eq } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import type { AnalyzedQuery } from '../../text/analyze-query.ts';
import type { Calibration } from './embedder.ts';
import type { MeasuredModel } from './measured-model.ts';
import { withTimeout } from './timeout.ts';

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

/** Reads the tenant's active model. */
export async function readActiveModel(tx: Tx, { tenantId, embeddingModels }: Context): Promise<string> {
  const [tenant] = await tx
    .select({ model: tenants.embeddingModel })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return tenant?.model ?? embeddingModels.current;
}
