import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Output } from '../contract/index.ts';
import type { Tx } from '../database/database.ts';
import type { Context, Operation } from '../engine/context.ts';
import { archiveRow } from '../memory/archive.ts';
import type { NewMemory, Stored } from '../memory/contract.ts';
import { toMemory } from '../memory/row.ts';
import { type MemoryRow, memories, memoryVersions } from '../memory/schema.ts';
import { announceStored, type Prepared, prepareMemories, storePrepared } from '../memory/store.ts';
import { lockName } from './lock.ts';
import { splitDocument } from './split-document.ts';

const DEFAULT_IMPORTANCE = 0.5;

/**
 * Makes the stored working memory equal to a document. Spec: POST /webhooks/memory-sync; design 5, memory-sync.
 *
 * The first part has the document's key, the others `key#slug`. Parts are the working memories that a sync once made
 * under this key, edited since or not. Other memories with such a key are left alone: the part takes another slug.
 *
 * @throws SvcError `CONFLICT` when the document's key belongs to a memory of another type.
 */
export const syncWorking: Operation<'syncWorking'> = async (context, { content, key }) => {
  const { foreign } = await context.read((tx) => findParts(tx, context, key));
  const prepared = await prepareMemories(context, toDrafts(content, key, foreign));
  let stored: Stored[] = [];
  const answer = await context.write(async (tx) => {
    // Two syncs of one document never mix: the second starts from what the first has made.
    await lockName(tx, context.tenantId, `sync:${key}`);
    const applied = await applyParts(tx, context, key, prepared);
    stored = applied.stored;
    return applied.answer;
  });
  await announceStored(context, stored);
  return answer;
};

/** Memories under a document's key: the parts of the document by key, and the keys that others have. */
interface Parts {
  readonly own: ReadonlyMap<string, MemoryRow>;
  readonly foreign: ReadonlySet<string>;
}

async function findParts(tx: Tx, { tenantId }: Context, key: string): Promise<Parts> {
  // Index memories_key.
  const found = await tx
    .select()
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        isNull(memories.archivedAt),
        or(eq(memories.key, key), sql`starts_with(${memories.key}, ${`${key}#`})`),
      ),
    )
    .orderBy(asc(memories.key));
  const edited = found.filter(({ source }) => source !== 'sync').map(({ id }) => id);
  const synced = edited.length === 0 ? [] : await syncedBefore(tx, tenantId, edited);
  const own = new Map<string, MemoryRow>();
  const foreign = new Set<string>();
  for (const row of found) {
    const name = row.key ?? '';
    const ours = name === key || row.source === 'sync' || synced.includes(row.id);
    if (ours && row.type === 'working') own.set(name, row);
    else foreign.add(name);
  }
  return { own, foreign };
}

/** Those of some memories that a sync wrote in a former version. */
async function syncedBefore(tx: Tx, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const found = await tx
    .selectDistinct({ id: memoryVersions.memoryId })
    .from(memoryVersions)
    .where(
      and(
        eq(memoryVersions.tenantId, tenantId),
        inArray(memoryVersions.memoryId, [...ids]),
        eq(memoryVersions.source, 'sync'),
      ),
    );
  return found.map(({ id }) => id);
}

function toDrafts(document: string, key: string, foreign: ReadonlySet<string>): NewMemory[] {
  const taken = [...foreign].map((name) => name.slice(key.length + 1));
  return splitDocument(document, taken).map(({ slug, text }) => ({
    type: 'working',
    content: text,
    key: slug === undefined ? key : `${key}#${slug}`,
    tags: [],
    importance: DEFAULT_IMPORTANCE,
  }));
}

/** Creates, updates and archives parts until they are the document's. */
async function applyParts(tx: Tx, context: Context, key: string, prepared: readonly Prepared[]) {
  const { own, foreign } = await findParts(tx, context, key);
  const clash = prepared.find(({ draft }) => foreign.has(draft.key ?? ''));
  if (clash) throw keyTaken(clash.draft.key ?? '');
  const rowOf = (item: Prepared) => own.get(item.draft.key ?? '');

  const changed = prepared.filter((item) => rowOf(item)?.content !== item.draft.content);
  const stored = await storePrepared(
    tx,
    context,
    changed.map((item) => keepSettings(item, rowOf(item))),
    { source: 'sync' },
  );
  const wanted = new Set(prepared.map(({ draft }) => draft.key));
  const vanished = [...own.values()].filter((row) => !wanted.has(row.key ?? ''));
  for (const row of vanished) await archiveRow(tx, context, row, 'sync');

  const first = own.get(key);
  const memory = stored.find((result) => result.memory.key === key)?.memory ?? (first && toMemory(first));
  if (!memory) throw new SvcError('INTERNAL', 'The document was not stored.');
  const answer: Output<'syncWorking'> = {
    memory,
    changes: {
      created: stored.filter(({ outcome }) => outcome === 'created').length,
      updated: stored.filter(({ outcome }) => outcome === 'updated').length,
      unchanged: prepared.length - changed.length,
      archived: vanished.length,
    },
  };
  return { stored, answer };
}

/** A sync brings text only: tags, importance and category that were given to a part stay. */
function keepSettings(item: Prepared, row: MemoryRow | undefined): Prepared {
  if (!row) return item;
  const { tags, importance, category } = row;
  return { ...item, draft: { ...item.draft, tags, importance, ...(category ? { category } : {}) } };
}

function keyTaken(key: string): SvcError {
  return new SvcError(
    'CONFLICT',
    `The key ${JSON.stringify(key)} belongs to a memory that no sync made. Sync under another key.`,
    { details: { key } },
  );
}
