import type { SQLWrapper } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Database, Rows } from '../../database/database.ts';
import type { Logger } from '../../engine/ports.ts';
import {
  type Changes,
  changesSince,
  MOST_CHANGES,
  PAGE,
  pageOf,
  readChange,
  readChanges,
} from './changes.ts';
import { MOST_PLACES } from './postings.ts';
import { LEAST_BYTES, ResidentIndex } from './resident-index.ts';
import { Scratch } from './scratch.ts';

/** Tenants of which something is remembered beside their memories. */
const REMEMBERED = 10_000;
/** How long a tenant that does not fit is not tried again. */
const UNFIT_MS = 10 * 60_000;
/** Memories that tell how much all will take: of the first, new words take as much as the rest. */
const TELLING = 10_000;
/** Times the room that a tenant is expected to take, from which on it is not read to the end: those behind may be smaller. */
const UNFIT_FROM = 1.25;
const ATTEMPTS = 3;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Memories of the tenants that recall often, held by this process, so that a recall asks the database only what changed.
 * The database stays the truth: whoever is not held, or changed too much, is searched there.
 */
export interface Residents {
  /**
   * The tenant's index with all that was committed before the call; undefined where this process holds none.
   *
   * @param ask Runs a statement that calls of this tenant at once may share.
   */
  upToDate(
    tenantId: string,
    ask: (make: () => SQLWrapper) => Promise<Rows>,
  ): Promise<ResidentIndex | undefined>;
  /** Tells that a tenant of so many memories was searched in the database; the second time, they begin to be loaded. */
  wish(tenantId: string, documents: number): void;
  /** Loads nothing from now on. */
  close(): Promise<void>;
}

interface Held {
  readonly index: ResidentIndex;
  readonly era: string;
  /** Up to which the index knows what changed. */
  snapshot: string;
}

/** @param bytes What all indexes may take in memory together; 0 for none. */
export function createResidents(
  { database, logger }: { database: Database; logger: Logger },
  bytes: number,
): Residents {
  const held = new LRUCache<string, Held>({
    maxSize: Math.max(1, bytes),
    sizeCalculation: ({ index }) => Math.max(1, index.bytes),
  });
  const wished = new LRUCache<string, true>({ max: REMEMBERED });
  const unfit = new LRUCache<string, true>({ max: REMEMBERED, ttl: UNFIT_MS });
  let scratch: Scratch | undefined;
  let loading: Promise<void> | undefined;
  let closed = false;

  const load = async (tenantId: string, documents: number): Promise<void> => {
    const page = async (after: string) => {
      const [rows = []] = await database.batch(tenantId, [pageOf({ tenantId, after })]);
      return readChanges(rows);
    };
    let changes = await page(FIRST_ID);
    if (!changes) return;
    // What changes from the first page on is read again by the first recall.
    const { era, until: snapshot } = changes;
    scratch ??= new Scratch();
    const index = new ResidentIndex(changes.model, documents, scratch);
    const empty = index.bytes;
    for (;;) {
      apply(index, changes);
      const share = index.places < TELLING ? 1 : index.places / documents;
      const expected = empty + (index.bytes - empty) / share;
      if (index.bytes > bytes || expected > UNFIT_FROM * bytes) {
        unfit.set(tenantId, true);
        return;
      }
      // Whoever asked last long ago goes at once: both together would take more than there is room for.
      while (held.size > 0 && held.calculatedSize + index.bytes > bytes) held.pop();
      const last = changes.rows.at(-1);
      if (!last || changes.rows.length < PAGE) break;
      changes = await page(last[0][0]);
      if (closed || changes?.era !== era) return;
    }
    held.set(tenantId, { index, era, snapshot });
  };

  /** Brings an index from the snapshot that was asked from to the one that answered. */
  const advance = (
    tenantId: string,
    own: Held,
    changes: Changes | undefined,
  ): 'done' | 'again' | 'useless' => {
    if (changes?.era !== own.era || changes.rows.length >= MOST_CHANGES) return 'useless';
    // Whoever shared the statement has seen to it.
    if (changes.until === own.snapshot) return 'done';
    if (changes.since !== own.snapshot) return 'again';
    apply(own.index, changes);
    own.snapshot = changes.until;
    if (isWorn(own.index)) return 'useless';
    if (changes.rows.length > 0) held.set(tenantId, own);
    return 'done';
  };

  return {
    upToDate: async (tenantId, ask) => {
      const own = held.get(tenantId);
      if (!own) return undefined;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const changes = readChanges(await ask(() => changesSince({ tenantId, snapshot: own.snapshot })));
        const result = advance(tenantId, own, changes);
        if (result === 'done') return own.index;
        if (result === 'useless') {
          if (held.peek(tenantId) === own) held.delete(tenantId);
          return undefined;
        }
      }
      return undefined;
    },
    wish: (tenantId, documents) => {
      const most = Math.min(bytes / LEAST_BYTES, MOST_PLACES / 4);
      const hopeless = documents >= most || unfit.has(tenantId);
      if (hopeless || closed || loading || held.has(tenantId)) return;
      if (!wished.has(tenantId)) {
        wished.set(tenantId, true);
        return;
      }
      loading = load(tenantId, documents)
        .catch((error: unknown) => {
          logger.debug({ tenant_id: tenantId, err: error }, 'the memories of a tenant could not be held');
        })
        .finally(() => {
          loading = undefined;
        });
    },
    close: async () => {
      closed = true;
      held.clear();
      await loading;
    },
  };
}

function apply(index: ResidentIndex, { rows }: Changes): void {
  for (const row of rows) {
    const { id, resident } = readChange(row);
    if (resident) index.put(resident);
    else index.remove(id);
  }
}

/** Whether more places are empty than taken. */
function isWorn({ size, places }: ResidentIndex): boolean {
  return places > 2 * size + MOST_CHANGES;
}
