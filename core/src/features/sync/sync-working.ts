import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { OutputOf } from '../../kernel/contract/route.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { archiveRow } from '../memory/change.ts';
import type { NewMemory } from '../memory/contract.ts';
import type { Prepared } from '../memory/insert.ts';
import { notifyStored, prepareMemories, storePrepared } from '../memory/store.ts';
import type { Stored } from '../records/contract.ts';
import { toMemory } from '../records/row.ts';
import { type MemoryRow, memories, memoryVersions } from '../records/schema.ts';
import { isUnexpired } from '../records/validity.ts';
import { requireFullView } from '../visibility/keys.ts';
import type { syncRoutes } from './contract.ts';
import { splitDocument } from './split-document.ts';

/**
 * Makes the stored working memory equal to a document.
 *
 * The first part has the document's key, the others `key#slug`. Parts are the working memories that a sync once made
 * under this key, edited since or not. Other memories with such a key are left alone: the part takes another slug.
 *
 * @throws SvcError `CONFLICT` when the document's key belongs to a memory of another type.
 */
export const syncWorking: Operation<typeof syncRoutes.syncWorking> = async (context, { content, key }) => {
  await requireFullView(context, 'content');
  const { foreign } = await context.read((tx) => findParts(tx, context, key));
  const prepared = await prepareMemories(context, await toDrafts(content, key, foreign, context.now), {
    source: 'sync',
  });
  let stored: Stored[] = [];
  const answer = await context.write(async (tx) => {
    // Two syncs of one document never mix: the second starts from what the first has made.
    await lockName(tx, context.tenantId, `sync:${key}`);
    const applied = await applyParts(tx, context, key, prepared);
    stored = applied.stored;
    return applied.answer;
  });
  await notifyStored(context, stored);
  return answer;
};

/** Memories under a document's key: the parts of the document by key, and the keys that others have. */
interface Parts {
  readonly own: ReadonlyMap<string, MemoryRow>;
  readonly foreign: ReadonlySet<string>;
}

/** @param lock Holds them until the transaction ends. */
async function findParts(
  tx: Tx,
  { tenantId, now }: Context,
  key: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Parts> {
  // Index memories_key.
  const query = tx
    .select()
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        isNull(memories.archivedAt),
        // What has expired is in no answer: the document is stored anew.
        isUnexpired(now),
        or(eq(memories.key, key), sql`starts_with(${memories.key}, ${`${key}#`})`),
      ),
    )
    .orderBy(asc(memories.key));
  const found = await (lock ? query.for('update') : query);
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

async function toDrafts(
  document: string,
  key: string,
  foreign: ReadonlySet<string>,
  now: Date,
): Promise<NewMemory[]> {
  const taken = [...foreign].map((name) => name.slice(key.length + 1));
  return (await splitDocument(document, taken)).map(({ slug, text }) => ({
    type: 'working',
    content: text,
    key: slug === undefined ? key : `${key}#${slug}`,
    occurred_at: now,
  }));
}

/** Creates, updates and archives parts until they are the document's. */
async function applyParts(tx: Tx, context: Context, key: string, prepared: readonly Prepared[]) {
  const { own, foreign } = await findParts(tx, context, key, { lock: true });
  const clash = prepared.find(({ draft }) => foreign.has(draft.key ?? ''));
  if (clash) throw keyTaken(clash.draft.key ?? '');
  const rowOf = (item: Prepared) => own.get(item.draft.key ?? '');

  const changed = prepared.filter((item) => rowOf(item)?.content !== item.draft.content);
  const stored = await storePrepared(tx, context, changed, { source: 'sync' });
  const wanted = new Set(prepared.map(({ draft }) => draft.key));
  const vanished = [...own.values()].filter((row) => !wanted.has(row.key ?? ''));
  for (const row of vanished) await archiveRow(tx, context, row, 'sync');

  const first = own.get(key);
  const memory = stored.find((result) => result.memory.key === key)?.memory ?? (first && toMemory(first));
  if (!memory) throw new SvcError('INTERNAL', 'The document was not stored.');
  const answer: OutputOf<typeof syncRoutes.syncWorking> = {
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

function keyTaken(key: string): SvcError {
  return new SvcError(
    'CONFLICT',
    `The key ${JSON.stringify(key)} belongs to a memory that no sync made. Sync under another key.`,
    { details: { key } },
  );
}
