import type { SQLWrapper } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Database, Rows } from '../../../kernel/database/database.ts';
import type { Logger } from '../../../kernel/runtime/runtime.ts';
import {
  type ChangedMemories,
  changesSince,
  MAX_CHANGES,
  PAGE_SIZE,
  pageAfter,
  readChange,
  readChanges,
} from './changes.ts';
import { MAX_SLOTS } from './postings.ts';
import { MIN_MEMORY_BYTES, TenantIndex } from './tenant-index.ts';
import { Workspace } from './workspace.ts';

/** Tenants whose requests and failures to load are remembered. */
const REMEMBERED_TENANTS = 10_000;
/** A tenant whose index was too large is not loaded again for this long. */
const TOO_LARGE_MS = 10 * 60_000;
/** Memories from which on the final size is extrapolated. In the first ones, new words take as much room as all the rest. */
const MIN_SAMPLE = 10_000;
/** Stop loading when the estimated size exceeds the budget by this factor. */
const TOO_LARGE_FACTOR = 1.25;
/** Times that a get asks for changes while concurrent gets advance the same index. */
const MAX_ATTEMPTS = 3;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

declare module '../../../kernel/context/context.ts' {
  interface Services {
    readonly indexCache: IndexCache;
  }
}

/**
 * Caches the indexes of tenants that recall often, so that a recall reads only the changes from the database. The database
 * stays the truth: a tenant that is not cached, or changed too much, is searched there.
 */
export interface IndexCache {
  /**
   * Returns the tenant's index with everything committed before this call; undefined when it is not cached.
   *
   * @param query Runs a statement that concurrent calls of this tenant may share.
   */
  get(tenantId: string, query: (make: () => SQLWrapper) => Promise<Rows>): Promise<TenantIndex | undefined>;
  /** Notes that a tenant with this many memories was searched in the database. The second time, its index is loaded. */
  requestLoad(tenantId: string, documents: number): void;
  /** Empties the cache, and loads nothing from now on. */
  close(): Promise<void>;
}

interface CachedIndex {
  readonly index: TenantIndex;
  readonly generation: string;
  /** The index contains every change that this snapshot sees. */
  snapshot: string;
}

interface CacheServices {
  readonly database: Database;
  readonly logger: Logger;
}

/** @param maxBytes Memory that all indexes may take together; 0 for none. */
export function createIndexCache(services: CacheServices, maxBytes: number): IndexCache {
  return new LruIndexCache(services, maxBytes);
}

class LruIndexCache implements IndexCache {
  readonly #services: CacheServices;
  readonly #maxBytes: number;
  readonly #cache: LRUCache<string, CachedIndex>;
  readonly #requested = new LRUCache<string, true>({ max: REMEMBERED_TENANTS });
  readonly #tooLarge = new LRUCache<string, true>({ max: REMEMBERED_TENANTS, ttl: TOO_LARGE_MS });
  #workspace: Workspace | undefined;
  #loading: Promise<void> | undefined;
  #closed = false;

  constructor(services: CacheServices, maxBytes: number) {
    this.#services = services;
    this.#maxBytes = maxBytes;
    this.#cache = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: ({ index }) => Math.max(1, index.bytes),
    });
  }

  async get(
    tenantId: string,
    query: (make: () => SQLWrapper) => Promise<Rows>,
  ): Promise<TenantIndex | undefined> {
    const cached = this.#cache.get(tenantId);
    if (!cached) return undefined;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const changes = readChanges(await query(() => changesSince({ tenantId, snapshot: cached.snapshot })));
      const result = this.#advance(tenantId, cached, changes);
      if (result === 'done') return cached.index;
      if (result === 'useless') {
        if (this.#cache.peek(tenantId) === cached) this.#cache.delete(tenantId);
        return undefined;
      }
    }
    return undefined;
  }

  requestLoad(tenantId: string, documents: number): void {
    const most = Math.min(this.#maxBytes / MIN_MEMORY_BYTES, MAX_SLOTS / 4);
    const isTooLarge = documents >= most || this.#tooLarge.has(tenantId);
    if (isTooLarge || this.#closed || this.#loading || this.#cache.has(tenantId)) return;
    if (!this.#requested.has(tenantId)) {
      this.#requested.set(tenantId, true);
      return;
    }
    this.#loading = this.#load(tenantId, documents)
      .catch((error: unknown) => {
        const { logger } = this.#services;
        logger.debug({ tenant_id: tenantId, err: error }, 'the memories of a tenant could not be held');
      })
      .finally(() => {
        this.#loading = undefined;
      });
  }

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
    this.#cache.set(tenantId, { index, generation, snapshot });
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
    applyChanges(cached.index, changes);
    cached.snapshot = changes.until;
    if (needsRebuild(cached.index)) return 'useless';
    if (changes.rows.length > 0) this.#cache.set(tenantId, cached);
    return 'done';
  }
}

function applyChanges(index: TenantIndex, { rows }: ChangedMemories): void {
  for (const row of rows) {
    const { id, memory } = readChange(row);
    if (memory) index.put(memory);
    else index.remove(id);
  }
}

/** Whether more slots are empty than taken. */
function needsRebuild({ size, slots }: TenantIndex): boolean {
  return slots > 2 * size + MAX_CHANGES;
}
