import { eq } from 'drizzle-orm';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { tenants } from '../tenants/schema.ts';
import type { Calibration } from './embedder.ts';
import { withPatience } from './patience.ts';

/** A query's vector, and whose vectors it may be compared with. */
export interface QueryVector {
  readonly model: string;
  readonly values: Float32Array;
  readonly calibration: Calibration;
}

/**
 * The vector of a query by a model, or undefined where the embedder is away, slow, or not to be had in this process.
 *
 * @throws what the caller's signal was aborted with.
 */
export async function embedQuery(
  context: Context,
  model: string,
  text: string,
): Promise<QueryVector | undefined> {
  const { spaces, logger, options, settings } = context;
  try {
    // Without the caller's signal: the vector is kept, and other callers may wait for the same one.
    const work = spaces.embed(model, [text], undefined, 'query');
    const { space, vectors } = await withPatience(work, settings.recallPatienceMs, options.signal);
    const [values] = vectors;
    return values && { model, values, calibration: space.calibration };
  } catch (error) {
    options.signal?.throwIfAborted();
    logger.warn({ err: error, model }, 'embedder is away; recall by words only');
    return undefined;
  }
}

/** The model whose vectors answer a tenant's recalls. */
export async function answeringModel(tx: Tx, { tenantId, spaces }: Context): Promise<string> {
  const [tenant] = await tx
    .select({ model: tenants.embeddingModel })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return tenant?.model ?? spaces.current;
}
