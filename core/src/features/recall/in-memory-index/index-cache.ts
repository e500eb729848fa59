import { type SQLWrapper, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Database, Rows } from '../../../kernel/database/database.ts';
import { listText } from '../../../kernel/database/parameters.ts';
import { createLruCache } from '../../../kernel/runtime/lru-cache.ts';
import type { Logger } from '../../../kernel/runtime/runtime.ts';
import { corpusSizes } from '../../search-index/schema.ts';
import type { Guard, HeldMemories } from '../../supersession/held-memories.ts';
import {
  type ChangedMemories,
  changesSince,
  isVisibleIn,
  MAX_CHANGES,
  PAGE_SIZE,
  pageAfter,
  readChange,
  readChanges,
  requireUnchanged,
  seeNow,
} from './changes.ts';
import { findRelatedInMemory, toIndexing } from './find-related-in-memory.ts';
import { MAX_SLOTS } from './postings.ts';
import { MIN_MEMORY_BYTES, TenantIndex } from './tenant-index.ts';
import { Workspace } from './workspace.ts';

/** Tenants whose requests, comparisons and failures to load are remembered. */
const REMEMBERED_TENANTS = 10_000;
/** Bytes of a short memory, by which it is estimated how many tenants fit. */
const MEMORY_BYTES = 500;
/** A tenant whose index was too large is not loaded again for this long. */
const TOO_LARGE_MS = 10 * 60_000;
/** Memories from which on the final size is extrapolated. In the first ones, new words take as much room as all the rest. */
const MIN_SAMPLE = 10_000;
/** Stop loading when the estimated size exceeds the budget by this factor. */
const TOO_LARGE_FACTOR = 1.25;
/** Times that a get asks for changes while concurrent gets advance the same index. */
const MAX_ATTEMPTS = 3;
/**
 * Facts compared in the database for each so many memories, from which on the memories are loaded: one fact takes the database
 * as long as loading some dozens of them. Of a small tenant the first few facts are not worth it.
 */
const MEMORIES_A_FACT = 50;
const LEAST_FACTS = 20;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

declare module '../../../kernel/context/context.ts' {
  interface Services {
    readonly indexCache: IndexCache;
  }
}

interface CachedIndex {
  readonly index: TenantIndex;
  readonly generation: string;
  /** The index contains every change that this snapshot sees. */
  snapshot: string;
  /** Ids of later transactions of this process whose changes it contains, too, and of those that it lacks. */
  own: string[];
  lacking: string[];
  /** How often changes of other processes were applied. */
  advances: number;
  /** Whether it is known to lack changes, and the call that reads them. */
  outdated: boolean;
  reading: Promise<unknown> | undefined;
}

/** What the first statement of a transaction answers. */
interface Seen {
  readonly until: string;
  readonly own: string;
  /** Undefined where that was not asked. */
  readonly unchanged?: number;
}

interface CacheServices {
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * Caches the indexes of tenants that recall often, so that a recall reads only the changes from the database. The database
 * stays the truth: a tenant that is not cached, or changed too much, is searched there.
 */
export class IndexCache {
  readonly #services: CacheServices;
  readonly #maxBytes: number;
  readonly #cache: LRUCache<string, CachedIndex>;
  /** The memories of tenants that were searched in the database lately, as many as fit: what comes round later would not stay. */
  readonly #requested: LRUCache<string, number>;
  readonly #tooLarge = createLruCache<true>(REMEMBERED_TENANTS, TOO_LARGE_MS);
  /** Facts compared in the database, and from how many on it is asked whether to load the tenant. */
  readonly #compared = createLruCache<{ facts: number; enough: number }>(REMEMBERED_TENANTS);
  #workspace: Workspace | undefined;
  #loading: Promise<void> | undefined;
  #closed = false;

  /** @param maxBytes Memory that all indexes may take together; 0 for none. */
  constructor(services: CacheServices, maxBytes: number) {
    this.#services = services;
    this.#maxBytes = maxBytes;
    this.#requested = new LRUCache({
      max: REMEMBERED_TENANTS,
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: (documents) => Math.max(1, Math.min(maxBytes, documents * MEMORY_BYTES)),
    });
    this.#cache = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: ({ index }) => Math.max(1, index.bytes),
    });
  }

  /**
   * Returns the tenant's index with everything committed before this call; undefined when it is not cached.
   *
   * @param query Runs a statement that concurrent calls of this tenant may share.
   */
  async get(
    tenantId: string,
    query: (make: () => SQLWrapper) => Promise<Rows>,
  ): Promise<TenantIndex | undefined> {
    const cached = this.#cache.get(tenantId);
    if (!cached) return undefined;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const changes = readChanges(
        await query(() => changesSince({ tenantId, snapshot: cached.snapshot, own: listText(cached.own) })),
      );
      const result = this.#advance(tenantId, cached, changes);
      if (result === 'done') return cached.index;
      if (result === 'useless') {
        if (this.#cache.peek(tenantId) === cached) this.#cache.delete(tenantId);
        return undefined;
      }
    }
    return undefined;
  }

  /** Notes that the index lacks what this process changes in a transaction. */
  outdate(tenantId: string, transaction: string | undefined): void {
    const cached = this.#cache.peek(tenantId);
    if (!cached) return;
    cached.outdated = true;
    if (transaction !== undefined) cached.lacking.push(transaction);
  }

  /** The tenant's index as it is, perhaps without what was committed last. */
  async of(tenantId: string): Promise<HeldMemories | undefined> {
    await this.#readLacking(tenantId);
    const cached = this.#cache.get(tenantId);
    if (!cached) return undefined;
    const { advances, index } = cached;
    const isHeld = () => this.#cache.peek(tenantId) === cached;
    return {
      findRelated: (facts, now) => findRelatedInMemory(index, facts, now),
      get isCurrent() {
        return isHeld() && cached.advances === advances;
      },
      guard: () => this.#guard(tenantId, cached),
    };
  }

  /** Adds to the index what a transaction stores, without a guard. */
  watch(tenantId: string): Guard | undefined {
    const cached = this.#cache.peek(tenantId);
    return cached && { ...this.#guard(tenantId, cached), statement: seeNow() };
  }

  #guard(tenantId: string, cached: CachedIndex): Guard {
    const { snapshot, generation, index } = cached;
    const own = listText([...cached.own, ...cached.lacking]);
    return {
      statement: requireUnchanged({ tenantId, snapshot, generation, own }),
      committed: (answer, stored, model) => {
        const [seen] = (answer ?? []) as readonly Seen[];
        if (!seen || this.#cache.peek(tenantId) !== cached) return;
        const isVerified = seen.unchanged !== undefined && cached.snapshot === snapshot;
        if (isVerified && cached.lacking.length === 0) moveTo(cached, seen.until);
        // A recall that read the changes meanwhile may have seen later ones of the same memories.
        if (isVisibleIn(cached.snapshot, seen.own)) return;
        for (const one of stored) index.put(one.row, toIndexing(one, model === index.model));
        cached.own.push(seen.own);
        this.#cache.set(tenantId, cached);
      },
      failed: () => {
        cached.outdated = true;
      },
    };
  }

  /** Reads what an index is known to lack: once for all calls that need it. */
  async #readLacking(tenantId: string): Promise<void> {
    const cached = this.#cache.peek(tenantId);
    if (!cached) return;
    if (cached.outdated) {
      // What is noted from now on may come too late for this reading.
      cached.outdated = false;
      const reading = this.get(tenantId, this.#ask(tenantId));
      cached.reading = reading;
    }
    await cached.reading;
  }

  #ask(tenantId: string): (make: () => SQLWrapper) => Promise<Rows> {
    return async (make) => {
      const [rows = []] = await this.#services.database.batch(tenantId, [make()]);
      return rows;
    };
  }

  /**
   * Notes that a tenant with this many memories was searched in the database. The second time, its index is loaded, unless more
   * tenants than fit were searched in between: they would take each other's room before it is of use.
   */
  requestLoad(tenantId: string, documents: number): void {
    const isTooLarge = documents >= this.#mostMemories || this.#tooLarge.has(tenantId);
    if (isTooLarge || this.#closed || this.#loading || this.#cache.has(tenantId)) return;
    if (this.#requested.get(tenantId) === undefined) {
      this.#requested.set(tenantId, documents);
      return;
    }
    this.#loadBeside(tenantId, () => this.#load(tenantId, documents));
  }

  /** Notes that new facts were compared with the tenant's memories in the database. After some, its index is loaded. */
  noteCompared(tenantId: string, facts: number): void {
    if (this.#closed || this.#maxBytes === 0 || this.#cache.has(tenantId)) return;
    const noted = this.#compared.get(tenantId) ?? { facts: 0, enough: LEAST_FACTS };
    noted.facts += facts;
    this.#compared.set(tenantId, noted);
    if (noted.facts < noted.enough || this.#loading || this.#tooLarge.has(tenantId)) return;
    this.#loadBeside(tenantId, async () => {
      const documents = await this.#countMemories(tenantId);
      noted.enough = Math.max(LEAST_FACTS, documents / MEMORIES_A_FACT);
      if (noted.facts < noted.enough || documents >= this.#mostMemories) return;
      noted.facts = 0;
      await this.#load(tenantId, documents);
    });
  }

  get #mostMemories(): number {
    return Math.min(this.#maxBytes / MIN_MEMORY_BYTES, MAX_SLOTS / 4);
  }

  #loadBeside(tenantId: string, load: () => Promise<void>): void {
    this.#loading = load()
      .catch((error: unknown) => {
        const { logger } = this.#services;
        logger.debug({ tenant_id: tenantId, err: error }, 'the memories of a tenant could not be held');
      })
      .finally(() => {
        this.#loading = undefined;
      });
  }

  async #countMemories(tenantId: string): Promise<number> {
    const counting = sql`SELECT coalesce(sum(documents), 0)::float8 AS documents FROM ${corpusSizes}
      WHERE tenant_id = ${tenantId}::uuid`;
    const [rows = []] = await this.#services.database.batch(tenantId, [counting]);
    const [row] = rows as readonly { documents: number }[];
    return row?.documents ?? 0;
  }

  /** Drops the index of a tenant that is erased. */
  async drop(tenantId: string): Promise<void> {
    // One that is being loaded may be this one.
    await this.#loading;
    this.#cache.delete(tenantId);
  }

  /** Empties the cache, and loads nothing from now on. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cache.clear();
    await this.#loading;
  }

  async #load(tenantId: string, documents: number): Promise<void> {
    let changes = await this.#readPage(tenantId, FIRST_ID);
    if (!changes) return;
    // Changes after the first page are read again by the first recall.
    const { generation, until: snapshot } = changes;
    this.#workspace ??= new Workspace();
    const index = new TenantIndex(changes.model, documents, this.#workspace);
    const emptyBytes = index.bytes;
    for (;;) {
      applyChanges(index, changes);
      const share = index.slots < MIN_SAMPLE ? 1 : index.slots / documents;
      const expected = emptyBytes + (index.bytes - emptyBytes) / share;
      if (index.bytes > this.#maxBytes || expected > TOO_LARGE_FACTOR * this.#maxBytes) {
        this.#tooLarge.set(tenantId, true);
        return;
      }
      this.#makeRoom(index.bytes);
      const last = changes.rows.at(-1);
      if (!last || changes.rows.length < PAGE_SIZE) break;
      changes = await this.#readPage(tenantId, last[0][0]);
      if (this.#closed || changes?.generation !== generation) return;
    }
    this.#cache.set(tenantId, {
      index,
      generation,
      snapshot,
      own: [],
      lacking: [],
      advances: 0,
      outdated: false,
      reading: undefined,
    });
  }

  async #readPage(tenantId: string, after: string): Promise<ChangedMemories | undefined> {
    const [rows = []] = await this.#services.database.batch(tenantId, [pageAfter({ tenantId, after })]);
    return readChanges(rows);
  }

  /** Evicts the least recently used tenants now: with the index being loaded, all together would exceed the budget. */
  #makeRoom(bytes: number): void {
    while (this.#cache.size > 0 && this.#cache.calculatedSize + bytes > this.#maxBytes) this.#cache.pop();
  }

  /** Advances an index from the snapshot that was queried from to the snapshot that answered. */
  #advance(
    tenantId: string,
    cached: CachedIndex,
    changes: ChangedMemories | undefined,
  ): 'done' | 'again' | 'useless' {
    if (changes?.generation !== cached.generation || changes.rows.length >= MAX_CHANGES) return 'useless';
    // A call that shared the statement has applied the changes.
    if (changes.until === cached.snapshot) return 'done';
    if (changes.since !== cached.snapshot) return 'again';
    const writers = applyChanges(cached.index, changes);
    if (writers.some((transaction) => !cached.lacking.includes(transaction))) cached.advances += 1;
    moveTo(cached, changes.until);
    if (needsRebuild(cached.index)) return 'useless';
    // Its size has changed. One that was dropped meanwhile, as when a user is erased, stays so.
    if (changes.rows.length > 0 && this.#cache.peek(tenantId) === cached) this.#cache.set(tenantId, cached);
    return 'done';
  }
}

function moveTo(cached: CachedIndex, snapshot: string): void {
  const isLater = (transaction: string) => !isVisibleIn(snapshot, transaction);
  cached.snapshot = snapshot;
  cached.own = cached.own.filter(isLater);
  cached.lacking = cached.lacking.filter(isLater);
}

/** Applies changes and answers the ids of the transactions that made them. */
function applyChanges(index: TenantIndex, { rows }: ChangedMemories): string[] {
  return rows.map((row) => {
    const { id, active, changedIn } = readChange(row);
    if (active) index.put(active.memory, active.indexing);
    else index.remove(id);
    return changedIn;
  });
}

/** Whether more slots are empty than taken. */
function needsRebuild({ size, slots }: TenantIndex): boolean {
  return slots > 2 * size + MAX_CHANGES;
}
