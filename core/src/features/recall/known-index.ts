import { sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { memoriesKnownAt } from '../records/known-at.ts';
import { memories } from '../records/schema.ts';
import { analysisOf } from '../search-index/index-memories.ts';
import { memoryVectors } from '../search-index/schema.ts';
import { readSketch } from '../search-index/sketch.ts';
import { readableThroughout } from '../visibility/view.ts';
import { type MemoryColumns, memoryColumns, writerColumn } from './find-candidates.ts';
import { inMemoryIndex } from './in-memory-index/find-in-memory.ts';
import { TenantIndex } from './in-memory-index/tenant-index.ts';
import { Workspace } from './in-memory-index/workspace.ts';
import type { EmbeddedSearch, MemoryIndex, RunQuery } from './memory-index.ts';
import { toMemoryView } from './read-candidates.ts';

type KnownRow = readonly [
  memory: MemoryColumns,
  echoes: boolean,
  source: string,
  /** Null where the memory says something else by now. */
  vector: readonly number[] | null,
];

/**
 * An index of the memories as the store knew them at a moment, made for this one search: the stored one holds what they say
 * now. It has the vectors of those that still say the same; the others are found by their words.
 *
 * @throws SvcError `VALIDATION_ERROR` where the store held more memories then than `recallExactUpTo`.
 */
export async function indexKnownAt(
  context: Context,
  search: EmbeddedSearch,
  { at, run }: { readonly at: Date; readonly run: RunQuery },
): Promise<MemoryIndex> {
  const { settings, now } = context;
  const most = settings.recallExactUpTo;
  const rows = await run({
    statement: () => knownStatement(context, search, { at, most }),
    shareable: false,
  });
  const [{ found = null } = {}] = rows as readonly { found?: readonly KnownRow[] | null }[];
  if (found && found.length > most) {
    throw invalid(
      'known_at',
      `is more than can be searched: the store held over ${most.toLocaleString('en-US')} memories then; ask POST /memories/query`,
    );
  }
  const index = new TenantIndex(search.model, found?.length ?? 0, new Workspace());
  for (const row of found ?? []) {
    await yieldToEventLoop();
    put(index, row);
  }
  return inMemoryIndex(index, { ...search, view: { ...search.view, isFull: true } }, now);
}

function put(index: TenantIndex, [columns, echoes, source, vector]: KnownRow): void {
  const view = toMemoryView(columns);
  const { terms, fingerprint, sketch } = analysisOf(view.content, undefined);
  index.put({
    ...view,
    ...{ fingerprint, echoes, source, vector },
    sketch: readSketch(sketch, view.id),
    length: terms.length,
    terms: [...terms.terms.keys()],
    frequencies: [...terms.terms.values()],
    passages: terms.passages ? [...terms.passages.values()] : null,
  });
}

function knownStatement(
  { tenantId, now }: Context,
  { model, view }: EmbeddedSearch,
  { at, most }: { readonly at: Date; readonly most: number },
) {
  const known = memoriesKnownAt({ tenantId, at, now, seen: readableThroughout(tenantId, view) });
  // A vector belongs to what the memory says now.
  return sql`WITH present AS (SELECT id, content FROM ${memories} WHERE tenant_id = ${tenantId}::uuid),
      memories AS MATERIALIZED (${known}),
      held AS (SELECT * FROM memories WHERE archived_at IS NULL ORDER BY id LIMIT ${most + 1})
    SELECT json_agg(json_build_array(${memoryColumns}, echoes, ${writerColumn},
        (SELECT embedding::text::json FROM ${memoryVectors} v JOIN present ON present.id = v.memory_id
          WHERE v.tenant_id = ${tenantId}::uuid AND v.model = ${model} AND v.memory_id = held.id
            AND present.content = held.content))) AS found FROM held`;
}
