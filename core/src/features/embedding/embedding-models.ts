import { eq, sql } from 'drizzle-orm';
import { type Database, rows } from '../../kernel/database/database.ts';
import { MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { createLruCache } from '../../kernel/runtime/lru-cache.ts';
import type { Clock, Logger } from '../../kernel/runtime/runtime.ts';
import { limitTime, untilAborted } from '../../kernel/runtime/waiting.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { memories } from '../records/schema.ts';
import {
  type Calibration,
  type Embedder,
  EmbedderError,
  genericCalibration,
  type Purpose,
} from './embedder.ts';
import { loadMeasured, type MeasuredModel } from './measured-model.ts';
import { embeddingModels } from './schema.ts';
import { toUnitVectors } from './unit-vectors.ts';

const CACHED_TENANTS = 10_000;

/** After so long an embedder that has not answered never will: a model that is downloaded first may take minutes. */
const LONGEST_MS = 10 * MINUTE_MS;

/** Creates the embedder of another model; undefined when this process cannot. */
export type EmbedderFor = (model: string) => Embedder | undefined;

interface EmbeddingResult {
  readonly model: MeasuredModel;
  readonly vectors: Float32Array[];
}

declare module '../../kernel/context/context.ts' {
  interface Services {
    /** Makes new vectors. Callers use `embeddingModels`, which checks its answers. */
    readonly embedder: Embedder;
    readonly embeddingModels: EmbeddingModels;
  }
  interface EngineSettings {
    /** Milliseconds that a recall waits for the embedder before it compares words only; default 2,000. */
    readonly recallPatienceMs: number;
    /** Milliseconds that a write waits for the embedder before its vectors are queued; default 5,000. */
    readonly writePatienceMs: number;
  }
}

interface EmbeddingModelOptions {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly embedderFor?: EmbedderFor | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The embedding models of this process, with their dimensions and calibrations as the database records them. */
export class EmbeddingModels {
  /** Model of the embedder that the operator chose. It makes the new vectors. */
  readonly current: string;
  readonly #options: EmbeddingModelOptions;
  readonly #others = new Map<string, Embedder | undefined>();
  readonly #measured = new Map<string, Promise<MeasuredModel>>();
  readonly #active = createLruCache<string>(CACHED_TENANTS);

  constructor(options: EmbeddingModelOptions) {
    this.#options = options;
    this.current = options.embedder.model;
  }

  /** Whether this process has an embedder of the model. */
  has(model: string): boolean {
    return this.#embedderOf(model) !== undefined;
  }

  /**
   * Embeds texts, and checks the answer: one vector for each text, of the recorded dimensions, without NaN.
   *
   * @throws EmbedderError when this process has no such embedder, or it is unavailable, or its answer is unusable.
   */
  async embed(
    name: string,
    texts: readonly string[],
    signal?: AbortSignal,
    purpose?: Purpose,
  ): Promise<EmbeddingResult> {
    return this.#embedBy(name, texts, async (embedder) => {
      signal?.throwIfAborted();
      return embedder.embed(texts, signal, purpose);
    });
  }

  /** The same for memories of the background work; see `Embedder.embedBacklog`. */
  async embedBacklog(name: string, texts: readonly string[], signal: AbortSignal): Promise<EmbeddingResult> {
    const limit = limitTime(signal, LONGEST_MS);
    const work = this.#embedBy(name, texts, async (embedder) => {
      signal.throwIfAborted();
      return embedder.embedBacklog ? embedder.embedBacklog(texts, signal) : embedder.embed(texts, signal);
    });
    return untilAborted(work, limit.signal).finally(() => limit.end());
  }

  /** How cosines of a model's vectors are read; as of any model where this process has no such embedder, or it is unavailable. */
  async calibrationOf(model: string): Promise<Calibration> {
    const embedder = this.#embedderOf(model);
    const measured = embedder && (await this.#measure(embedder).catch(() => undefined));
    return measured?.calibration ?? genericCalibration;
  }

  /** The recorded models that this process has an embedder of, the current one first. */
  async reachable(): Promise<string[]> {
    const all = await this.#options.database.system((tx) =>
      tx.select({ model: embeddingModels.model }).from(embeddingModels),
    );
    return [...new Set([this.current, ...all.map(({ model }) => model)])].filter((model) => this.has(model));
  }

  /** Records that a process was started with the current embedder. The model activated last is the operator's choice. */
  async activate(): Promise<void> {
    const { database, embedder, clock } = this.#options;
    await this.#measure(embedder);
    await database.system((tx) =>
      tx.update(embeddingModels).set({ chosenAt: clock() }).where(eq(embeddingModels.model, this.current)),
    );
  }

  /** Whether no other model was activated since. */
  async isActive(): Promise<boolean> {
    const rivals = await this.#options.database.system((tx) =>
      tx
        .select({ model: embeddingModels.model })
        .from(embeddingModels)
        .where(sql`chosen_at > (SELECT chosen_at FROM ${embeddingModels} WHERE model = ${this.current})`),
    );
    return rivals.length === 0;
  }

  /** The tenant's active model as this process saw it last; undefined before its first recall here. */
  activeModelOf(tenantId: string): string | undefined {
    return this.#active.get(tenantId);
  }

  rememberActiveModel(tenantId: string, model: string): void {
    this.#active.set(tenantId, model);
  }

  /** Drops the texts that embedders keep in memory. */
  forgetTexts(): void {
    for (const embedder of [this.#options.embedder, ...this.#others.values()]) embedder?.forgetTexts?.();
  }

  async #embedBy(
    name: string,
    texts: readonly string[],
    embed: (embedder: Embedder) => Promise<Float32Array[]>,
  ): Promise<EmbeddingResult> {
    const embedder = this.#embedderOf(name);
    if (!embedder) throw new EmbedderError('refused', `There is no embedder ${name} in this process.`);
    const model = await this.#measure(embedder);
    return { model, vectors: toUnitVectors(await embed(embedder), { ...model, count: texts.length }) };
  }

  #embedderOf(model: string): Embedder | undefined {
    const { embedder, embedderFor } = this.#options;
    if (model === this.current) return embedder;
    if (!this.#others.has(model)) this.#others.set(model, embedderFor?.(model));
    return this.#others.get(model);
  }

  /** The model's dimensions and calibration; measured at its first use. A failure is not cached. */
  #measure(embedder: Embedder): Promise<MeasuredModel> {
    const { model } = embedder;
    const known = this.#measured.get(model);
    if (known) return known;
    const limit = AbortSignal.timeout(LONGEST_MS);
    const loading = untilAborted(loadMeasured(this.#options, embedder), limit);
    this.#measured.set(model, loading);
    loading.catch(() => this.#measured.delete(model));
    return loading;
  }
}

/**
 * The model that the stored memories have their vectors of, or are getting them of: the one chosen last; where none was
 * recorded, that of most tenants with memories.
 *
 * @returns undefined where no memory is stored.
 */
export async function readModelInUse(database: Database): Promise<string | undefined> {
  const [found] = await database.system((tx) =>
    rows<{ model: string }>(
      tx,
      sql`SELECT coalesce(
          (SELECT model FROM ${embeddingModels} WHERE chosen_at IS NOT NULL ORDER BY chosen_at DESC LIMIT 1),
          (SELECT embedding_model FROM ${tenants} tenant
            WHERE EXISTS (SELECT FROM ${memories} memory WHERE memory.tenant_id = tenant.tenant_id)
            GROUP BY embedding_model ORDER BY count(*) DESC, embedding_model LIMIT 1)
        ) AS model
        WHERE EXISTS (SELECT FROM ${memories})`,
    ),
  );
  return found?.model;
}
