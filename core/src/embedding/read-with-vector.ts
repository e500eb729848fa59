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
 * Reads with the vector of a text, made by the model whose vectors answer this tenant's recalls: while the tenant is being
 * re-embedded, that is still the model from before.
 *
 * @param work gets a snapshot, and no vector where the embedder is away, slow, or not to be had in this process.
 * @returns what `work` answered, and whether it had to do without.
 */
export async function readWithVector<T>(
  context: Context,
  text: string,
  work: (tx: Tx, vector: QueryVector | undefined) => Promise<T>,
): Promise<{ readonly value: T; readonly degraded: boolean }> {
  const { spaces, tenantId } = context;
  // A query goes only to the embedder it is meant for: where nothing is known yet, that is looked up first.
  let model = spaces.lastAnswering(tenantId) ?? (await context.read((tx) => answeringModel(tx, context)));
  for (;;) {
    spaces.noteAnswering(tenantId, model);
    const vector = await embedQuery(context, model, text);
    const expected = model;
    const outcome = await context.read(async (tx) => {
      // In the same snapshot as the search, so that a switch of the model comes before or after, never in between.
      const answering = await answeringModel(tx, context);
      return answering === expected ? { value: await work(tx, vector) } : { answering };
    });
    if ('value' in outcome) return { value: outcome.value, degraded: vector === undefined };
    model = outcome.answering;
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

async function embedQuery(context: Context, model: string, text: string): Promise<QueryVector | undefined> {
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
