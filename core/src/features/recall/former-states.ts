import { and, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { memoriesKnownAt } from '../records/known-at.ts';
import { memories } from '../records/schema.ts';
import { analysisOf } from '../search-index/index-memories.ts';
import { memoryVectors } from '../search-index/schema.ts';
import { readSketch } from '../search-index/sketch.ts';
import { readableThroughout } from '../visibility/view.ts';
import type { MemoryView } from './candidates.ts';
import { TenantIndex } from './in-memory-index/tenant-index.ts';
import { Workspace } from './in-memory-index/workspace.ts';
import { type MemoryColumns, memoryColumns, toMemoryView, writerColumn } from './memory-columns.ts';
import type { EmbeddedSearch, RunQuery } from './memory-index.ts';

/** Changed memories that one statement reads: a few milliseconds' work for the embedded database. */
const PAGE_SIZE = 200;
/** States that one index holds. */
const STATES_AT_ONCE = 2_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type StateRow = readonly [
  memory: MemoryColumns,
  echoes: boolean,
  source: string,
  /** Null where the memory says something else by now. */
  vector: readonly number[] | null,
];

/** A place in the order of changes. */
type Position = readonly [updatedAt: string, id: string];

interface Page {
  readonly changed: number;
  readonly last: Position | null;
  readonly states: readonly StateRow[] | null;
}

/**
 * The memories that have changed since a moment, as the store knew them then. No stored index has their words of then: they
 * are read a page at a time and indexed for one search. Those that still say the same have their vectors; the others are found
 * by their words.
 */
export class FormerStates {
  readonly #context: Context;
  readonly #search: Pick<EmbeddedSearch, 'model' | 'view'>;
  readonly #at: Date;
  readonly #run: RunQuery;
  readonly #workspace = new Workspace();
  #kept: readonly TenantIndex[] | undefined;

  constructor(
    context: Context,
    search: Pick<EmbeddedSearch, 'model' | 'view'>,
    { at, run }: { readonly at: Date; readonly run: RunQuery },
  ) {
    this.#context = context;
    this.#search = search;
    this.#at = at;
    this.#run = run;
  }

  /** Indexes of some of them each, made anew each time where they are too many to be kept. */
  async *indexes(): AsyncGenerator<TenantIndex> {
    if (this.#kept) {
      yield* this.#kept;
      return;
    }
    const { recallExactUpTo: most } = this.#context.settings;
    const kept: TenantIndex[] = [];
    let states = 0;
    for await (const index of this.#read()) {
      states += index.size;
      if (states <= most) kept.push(index);
      yield index;
    }
    if (states <= most) this.#kept = kept;
  }

  /** Memories by id as they were known, changed since or not, but for archived ones. */
  async load(ids: readonly string[]): Promise<readonly MemoryView[]> {
    const { database, tenantId } = this.#context;
    const known = this.#known(sql`${memories.id} = ANY(${uuids(ids)})`);
    const [rows = []] = await database.batch(tenantId, [
      sql`WITH memories AS MATERIALIZED (${known})
        SELECT json_agg(${memoryColumns}) AS found FROM memories WHERE archived_at IS NULL`,
    ]);
    const [{ found = null } = {}] = rows as readonly { found?: readonly MemoryColumns[] | null }[];
    return (found ?? []).map(toMemoryView);
  }

  async *#read(): AsyncGenerator<TenantIndex> {
    let index: TenantIndex | undefined;
    let after: Position | null = [this.#at.toISOString(), LAST_ID];
    while (after) {
      const { changed, last, states }: Page = await this.#page(after);
      for (const row of states ?? []) {
        await yieldToEventLoop();
        index ??= new TenantIndex(this.#search.model, PAGE_SIZE, this.#workspace);
        put(index, row);
      }
      after = changed < PAGE_SIZE ? null : last;
      if (!index || (after && index.size < STATES_AT_ONCE)) continue;
      yield index;
      index = undefined;
    }
  }

  async #page(after: Position): Promise<Page> {
    const rows = await this.#run({ statement: () => this.#pageStatement(after), shareable: false });
    const [row] = rows as readonly { found: Page }[];
    if (!row) throw new TypeError('the statement answers one row');
    return row.found;
  }

  /** Index memories_updated. */
  #pageStatement([updatedAt, id]: Position): SQL {
    const own = sql`tenant_id = ${this.#context.tenantId}::uuid`;
    const known = this.#known(sql`${memories.id} IN (SELECT id FROM page)`);
    // A vector belongs to what the memory says now.
    return sql`WITH page AS MATERIALIZED (
        SELECT id, updated_at FROM ${memories} WHERE ${own} AND (updated_at, id) > (${updatedAt}::timestamptz, ${id}::uuid)
        ORDER BY updated_at, id LIMIT ${PAGE_SIZE}::int
      ), present AS (SELECT id, content FROM ${memories} WHERE ${own} AND id IN (SELECT id FROM page)),
      memories AS MATERIALIZED (${known})
      SELECT json_build_object(
        'changed', (SELECT count(*) FROM page),
        'last', (SELECT json_build_array(updated_at, id) FROM page ORDER BY updated_at DESC, id DESC LIMIT 1),
        'states', (SELECT json_agg(json_build_array(${memoryColumns}, echoes, ${writerColumn},
          (SELECT embedding::text::json FROM ${memoryVectors} v JOIN present ON present.id = v.memory_id
            WHERE v.${own} AND v.model = ${this.#search.model} AND v.memory_id = held.id
              AND present.content = held.content))) FROM memories held WHERE archived_at IS NULL)
      ) AS found`;
  }

  #known(which: SQL): SQL {
    const { tenantId, now } = this.#context;
    const seen = and(readableThroughout(tenantId, this.#search.view), which);
    return memoriesKnownAt({ tenantId, at: this.#at, now, seen });
  }
}

function put(index: TenantIndex, [columns, echoes, source, vector]: StateRow): void {
  const view = toMemoryView(columns);
  const { terms, fingerprint, sketch } = analysisOf(view.content, undefined);
  index.put(
    { ...view, fingerprint, echoes, version: 0, length: terms.length },
    {
      sketch: readSketch(sketch, view.id),
      source,
      terms: [...terms.terms.keys()],
      frequencies: [...terms.terms.values()],
      passages: terms.passages ? [...terms.passages.values()] : null,
      vector,
    },
  );
}
