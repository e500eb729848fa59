import { eq, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.ts';
import type { Clock, Logger } from '../engine/ports.ts';
import {
  type Calibration,
  type Embedder,
  genericCalibration,
  measureCalibration,
  type Purpose,
} from './embedder.ts';
import { EmbedderError } from './embedder-error.ts';
import { embeddingModels } from './schema.ts';
import { toUnitVectors } from './unit-vectors.ts';

/** Tenants of which is remembered which model answers them. */
const REMEMBERED_TENANTS = 10_000;

/** Makes the embedder of another model, or undefined where this process cannot. */
export type EmbedderFor = (model: string) => Embedder | undefined;

/** The vectors of one model: only these can be compared with each other. */
interface Space {
  readonly model: string;
  readonly dimensions: number;
  readonly calibration: Calibration;
}

/** Vectors of one space. */
interface Embedded {
  readonly space: Space;
  readonly vectors: Float32Array[];
}

/** The vector spaces that this process can embed into. */
export interface Spaces {
  /** Model of the embedder that the operator chose: new vectors are its. */
  readonly current: string;
  /** Whether this process can make vectors of a model. */
  has(model: string): boolean;
  /**
   * Embeds, and checks what comes: the recorded dimensions, no NaN, a vector for every text.
   *
   * @throws EmbedderError when the embedder is away, is not to be had here, or gives what cannot be used.
   */
  embed(model: string, texts: readonly string[], signal?: AbortSignal, purpose?: Purpose): Promise<Embedded>;
  /** The models that have made vectors here and of which this process can make more, the current one first. */
  reachable(): Promise<string[]>;
  /** Records that this process was started with the current embedder, which makes it the one that counts. */
  choose(): Promise<void>;
  /** Whether no process was started with another embedder since. */
  isChosen(): Promise<boolean>;
  /** The model whose vectors answered a tenant's recall last; undefined where this process has not seen one. */
  lastAnswering(tenantId: string): string | undefined;
  noteAnswering(tenantId: string, model: string): void;
}

interface Ports {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly embedderFor?: EmbedderFor | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The vector spaces over one database. */
export function createSpaces({ database, embedder, embedderFor, clock, logger }: Ports): Spaces {
  const current = embedder.model;
  const others = new Map<string, Embedder | undefined>();
  const known = new Map<string, Promise<Space>>();
  const answering = new LRUCache<string, string>({ max: REMEMBERED_TENANTS });

  const find = (model: string): Embedder | undefined => {
    if (model === current) return embedder;
    if (!others.has(model)) others.set(model, embedderFor?.(model));
    return others.get(model);
  };

  const recorded = (model: string) =>
    database.system(async (tx) => {
      const [row] = await tx.select().from(embeddingModels).where(eq(embeddingModels.model, model));
      return row;
    });

  const measure = async (own: Embedder): Promise<Space> => {
    const { model } = own;
    let dimensions = own.dimensions ?? 0;
    const embed: Embedder['embed'] = async (texts, signal, purpose) => {
      const expected = { model, count: texts.length, dimensions: dimensions || undefined };
      const vectors = toUnitVectors(await own.embed(texts, signal, purpose), expected);
      dimensions = vectors[0]?.length ?? dimensions;
      return vectors;
    };
    if (own.dimensions !== undefined && own.calibration) {
      return { model, dimensions: own.dimensions, calibration: own.calibration };
    }
    if (own.calibration) {
      await embed(['How long is a vector?']);
      return { model, dimensions, calibration: own.calibration };
    }
    const calibration = await measureCalibration(embed).catch((error: unknown) => {
      // The vectors were good, but told nothing apart; dimensions are known by now.
      if (error instanceof EmbedderError || dimensions === 0) throw error;
      logger.warn({ model, err: error }, 'the embedder could not be calibrated: similarities are a guess');
      return genericCalibration;
    });
    return { model, dimensions, calibration };
  };

  const load = async (own: Embedder): Promise<Space> => {
    const { model } = own;
    let row = await recorded(model);
    if (!row) {
      const { dimensions, calibration } = await measure(own);
      const now = clock();
      await database.system((tx) =>
        tx
          .insert(embeddingModels)
          .values({ model, dimensions, ...calibration, measuredAt: now })
          .onConflictDoNothing(),
      );
      // Another process may have been first; all read the same.
      row = await recorded(model);
    }
    if (!row) throw new EmbedderError('failed', `The embedder ${model} could not be recorded.`);
    const { dimensions, unrelated, related, trust } = row;
    return { model, dimensions, calibration: own.calibration ?? { unrelated, related, trust } };
  };

  const spaceOf = (own: Embedder): Promise<Space> => {
    const loading = known.get(own.model) ?? load(own);
    known.set(own.model, loading);
    loading.catch(() => known.delete(own.model));
    return loading;
  };

  return {
    current,
    has: (model) => find(model) !== undefined,
    embed: async (model, texts, signal, purpose) => {
      const own = find(model);
      if (!own) throw new EmbedderError('refused', `There is no embedder ${model} in this process.`);
      const space = await spaceOf(own);
      signal?.throwIfAborted();
      const vectors = await own.embed(texts, signal, purpose);
      return { space, vectors: toUnitVectors(vectors, { ...space, count: texts.length }) };
    },
    reachable: async () => {
      const all = await database.system((tx) =>
        tx.select({ model: embeddingModels.model }).from(embeddingModels),
      );
      return [...new Set([current, ...all.map(({ model }) => model)])].filter((model) => find(model));
    },
    choose: async () => {
      await spaceOf(embedder);
      await database.system((tx) =>
        tx.update(embeddingModels).set({ chosenAt: clock() }).where(eq(embeddingModels.model, current)),
      );
    },
    isChosen: async () => {
      const rivals = await database.system((tx) =>
        tx
          .select({ model: embeddingModels.model })
          .from(embeddingModels)
          .where(sql`chosen_at > (SELECT chosen_at FROM ${embeddingModels} WHERE model = ${current})`),
      );
      return rivals.length === 0;
    },
    lastAnswering: (tenantId) => answering.get(tenantId),
    noteAnswering: (tenantId, model) => {
      answering.set(tenantId, model);
    },
  };
}
