import { eq } from 'drizzle-orm';
import type { Database } from '../../kernel/database/database.ts';
import type { Clock, Logger } from '../../kernel/runtime/runtime.ts';
import {
  type Calibration,
  type Embedder,
  EmbedderError,
  genericCalibration,
  measureCalibration,
} from './embedder.ts';
import { embeddingModels } from './schema.ts';
import { toUnitVectors } from './unit-vectors.ts';

/** A model whose dimensions and calibration are known. Only vectors of the same model are compared. */
export interface MeasuredModel {
  readonly model: string;
  readonly dimensions: number;
  readonly calibration: Calibration;
  /** ISO 639-1 codes of the languages that it knows; any where undefined. */
  readonly languages?: readonly string[] | undefined;
}

interface Recorder {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Reads what the database records of a model; measures and records it where there is nothing. */
export async function loadMeasured(
  { database, clock, logger }: Recorder,
  embedder: Embedder,
): Promise<MeasuredModel> {
  const { model } = embedder;
  let row = await readRecorded(database, model);
  if (!row) {
    const { dimensions, calibration } = await measureModel(embedder, logger);
    const now = clock();
    await database.system((tx) =>
      tx
        .insert(embeddingModels)
        .values({ model, dimensions, ...calibration, measuredAt: now })
        .onConflictDoNothing(),
    );
    // Another process may have recorded it first: all use the same numbers.
    row = await readRecorded(database, model);
  }
  if (!row) throw new EmbedderError('failed', `The embedder ${model} could not be recorded.`);
  const { dimensions, unrelated, related, trust } = row;
  return {
    model,
    dimensions,
    calibration: embedder.calibration ?? { unrelated, related, trust },
    languages: embedder.languages,
  };
}

function readRecorded(database: Database, model: string) {
  return database.system(async (tx) => {
    const [row] = await tx.select().from(embeddingModels).where(eq(embeddingModels.model, model));
    return row;
  });
}

/** Asks the embedder for what it does not say of itself. */
async function measureModel(embedder: Embedder, logger: Logger): Promise<MeasuredModel> {
  const { model } = embedder;
  let dimensions = embedder.dimensions ?? 0;
  const embed: Embedder['embed'] = async (texts, signal, purpose) => {
    const expected = { model, count: texts.length, dimensions: dimensions || undefined };
    const vectors = toUnitVectors(await embedder.embed(texts, signal, purpose), expected);
    dimensions = vectors[0]?.length ?? dimensions;
    return vectors;
  };
  if (embedder.dimensions !== undefined && embedder.calibration) {
    return { model, dimensions: embedder.dimensions, calibration: embedder.calibration };
  }
  if (embedder.calibration) {
    await embed(['How long is a vector?']);
    return { model, dimensions, calibration: embedder.calibration };
  }
  const calibration = await measureCalibration(embed).catch((error: unknown) => {
    // Where dimensions are known, the vectors were valid but did not tell related texts from unrelated ones.
    if (error instanceof EmbedderError || dimensions === 0) throw error;
    logger.warn({ model, err: error }, 'the embedder could not be calibrated: similarities are a guess');
    return genericCalibration;
  });
  return { model, dimensions, calibration };
}
