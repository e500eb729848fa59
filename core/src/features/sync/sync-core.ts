import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import type { Category } from '../../kernel/contract/fields.ts';
import type { OutputOf } from '../../kernel/contract/route.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { toEntry } from '../guardian/entry.ts';
import { findPending } from '../guardian/pending.ts';
import { isUndeletable } from '../guardian/protection.ts';
import { archiveRow } from '../memory/change.ts';
import type { Prepared } from '../memory/insert.ts';
import { notifyStored, prepareMemories, storePrepared } from '../memory/store.ts';
import type { Stored } from '../records/contract.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { isUnexpired } from '../records/validity.ts';
import { requireFullView } from '../visibility/keys.ts';
import type { syncRoutes } from './contract.ts';
import { type CoreSection, fileKey, toCoreSections } from './sync-core-sections.ts';

type Result = OutputOf<typeof syncRoutes.syncCore>['results'][number];
type Outcome = Result['outcome'];

interface Item {
  readonly section: CoreSection;
  readonly prepared: Prepared;
}

/**
 * Makes the stored core equal to markdown files.
 *
 * Each section is a core memory under the key `core:<file>` or `core:<file>#<heading>`. A change to a protected one
 * goes through the Guardian; while it is pending, the same sync again changes nothing, and other sections go on.
 *
 * A key that belongs to a memory of another type takes that memory over, as any upsert does.
 *
 * @throws SvcError `VALIDATION_ERROR` naming a file or section without a category; `GUARDIAN_PROTECTED` when a memory
 *   taken over has a change pending.
 */
export const syncCore: Operation<typeof syncRoutes.syncCore> = async (context, { files }) => {
  await requireFullView(context, 'files');
  const sections = await toCoreSections(files);
  const drafts = sections.map(({ key, category, content }) => ({
    type: 'core' as const,
    category,
    content,
    key,
  }));
  const prepared = await prepareMemories(context, drafts);
  const items = prepared.map((item, index) => ({ prepared: item, section: sections[index] as CoreSection }));
  let stored: Stored[] = [];
  const answer = await context.write(async (tx) => {
    // Two syncs never mix: the second starts from what the first has made.
    await lockName(tx, context.tenantId, 'sync-core');
    const existing = await loadFiles(
      tx,
      context,
      files.map(({ path }) => fileKey(path)),
    );
    const applied = await storeSections(tx, context, items, existing);
    stored = applied.stored;
    const gone = await endVanished(tx, context, files, items, existing);
    return toAnswer([...applied.results, ...gone]);
  });
  await notifyStored(context, stored);
  return answer;
};

/** The memories of some files by key. */
async function loadFiles(
  tx: Tx,
  { tenantId, now }: Context,
  keys: readonly string[],
): Promise<ReadonlyMap<string, MemoryRow>> {
  // Index memories_key.
  const found = await tx
    .select()
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        eq(memories.type, 'core'),
        isNull(memories.archivedAt),
        // What has expired is in no answer: its section is stored anew.
        isUnexpired(now),
        or(
          ...keys.flatMap((key) => [eq(memories.key, key), sql`starts_with(${memories.key}, ${`${key}#`})`]),
        ),
      ),
    )
    .orderBy(asc(memories.key))
    .for('update');
  return new Map(found.map((row) => [row.key ?? '', row]));
}

/** Stores what differs, and answers one result for each section in order. */
async function storeSections(
  tx: Tx,
  context: Context,
  items: readonly Item[],
  existing: ReadonlyMap<string, MemoryRow>,
) {
  const settled = new Map<Item, Result>();
  for (const item of items) {
    const row = existing.get(item.section.key);
    const result = row && (await settle(tx, context, item, row));
    if (result) settled.set(item, result);
  }
  const changed = items.filter((item) => !settled.has(item));
  const stored = await storePrepared(
    tx,
    context,
    changed.map(({ prepared }) => prepared),
    { source: 'sync' },
  );
  changed.forEach((item, index) => {
    const result = stored[index];
    if (!result) return;
    const { memory, entry } = result;
    // A section has a key, so it is merged with nothing.
    const outcome = result.outcome === 'merged' ? 'unchanged' : result.outcome;
    settled.set(item, { ...about(item.section), outcome, memory_id: memory.id, ...(entry ? { entry } : {}) });
  });
  return { stored, results: items.flatMap((item) => settled.get(item) ?? []) };
}

/** The result of a section that needs no change, or for which a change is pending already. */
async function settle(
  tx: Tx,
  context: Context,
  { section }: Item,
  row: MemoryRow,
): Promise<Result | undefined> {
  const base = { ...about(section), memory_id: row.id };
  const says = (fields: { content: string; category: Category | null } | null) =>
    fields?.content === section.content && fields.category === section.category;
  if (says(row)) return { ...base, outcome: 'unchanged' };
  const pending = await findPending(tx, context, row.id);
  if (!pending) return undefined;
  return { ...base, outcome: says(pending.proposed) ? 'queued' : 'blocked', entry: toEntry(pending) };
}

/** Archives what a sync stored and its file holds no more; soul and identity stay, as they always do. */
async function endVanished(
  tx: Tx,
  context: Context,
  files: readonly { path: string }[],
  items: readonly Item[],
  existing: ReadonlyMap<string, MemoryRow>,
): Promise<Result[]> {
  const wanted = new Set(items.map(({ section }) => section.key));
  const results: Result[] = [];
  for (const [key, row] of existing) {
    // What the agent or its human wrote since is theirs.
    if (wanted.has(key) || row.source !== 'sync') continue;
    const path = files.find(
      (file) => key === fileKey(file.path) || key.startsWith(`${fileKey(file.path)}#`),
    )?.path;
    const base = { path: path ?? key, key, category: row.category ?? 'operations', memory_id: row.id };
    results.push({ ...base, ...(await endOne(tx, context, row)) });
  }
  return results;
}

async function endOne(tx: Tx, context: Context, row: MemoryRow): Promise<Pick<Result, 'outcome' | 'entry'>> {
  if (isUndeletable(row)) return { outcome: 'kept' };
  const pending = await findPending(tx, context, row.id);
  if (pending) return { outcome: pending.proposed === null ? 'queued' : 'blocked', entry: toEntry(pending) };
  const entry = await context.changePolicy.submit(tx, context, row, { fields: null, source: 'sync' });
  if (entry) return { outcome: 'queued', entry };
  await archiveRow(tx, context, row, 'sync');
  return { outcome: 'archived' };
}

function about({ path, key, category }: CoreSection) {
  return { path, key, category };
}

function toAnswer(results: readonly Result[]): OutputOf<typeof syncRoutes.syncCore> {
  const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
  return {
    changes: {
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      queued: count('queued'),
      blocked: count('blocked'),
      archived: count('archived'),
      kept: count('kept'),
    },
    results: [...results],
  };
}
