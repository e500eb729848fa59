import { and, eq, inArray, isNull } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Source } from '../contract/fields.ts';
import { rows, type Tx } from '../database/database.ts';
import { together } from '../database/together.ts';
import type { Context } from '../engine/context.ts';
import { guard, recordAdditions, repeatsProtected } from '../guardian/gate.ts';
import { type Analysis, analyzeContents, indexMemories } from '../recall/index-memories.ts';
import { changeMemory } from './change.ts';
import type { NewMemory, Stored } from './contract.ts';
import { insertStatement, newRow, toFields } from './insert.ts';
import { toMemory } from './row.ts';
import { type MemoryRow, memories } from './schema.ts';
import { sizeOf } from './size.ts';

/** A memory ready to be stored: plugins have had their say, terms and vector are made. */
export interface Prepared {
  readonly draft: NewMemory;
  readonly analysis: Analysis;
  /** Of a digest, the ids of its episodes, and whether they stay beside it. */
  readonly digest?: { readonly of: readonly string[]; readonly echoes: boolean };
}

/** The slow part of storing, outside any transaction: plugins, analysis, embedding. */
export async function prepareMemories(context: Context, drafts: readonly NewMemory[]): Promise<Prepared[]> {
  const accepted: NewMemory[] = [];
  for (const draft of drafts)
    accepted.push(await context.plugins.change('memory:beforeStore', draft, context));
  const analyses = await analyzeContents(
    context,
    accepted.map((draft) => draft.content),
  );
  return accepted.map((draft, index) => ({ draft, analysis: analyses[index] as Analysis }));
}

/**
 * Stores one prepared memory that nothing stored can clash with and that nobody has to hear of but by its event.
 *
 * @returns undefined where nothing was done: `storePrepared` then tells why, or does it.
 */
export async function appendPrepared(context: Context, prepared: Prepared): Promise<Stored[] | undefined> {
  if (canClash(prepared) || prepared.draft.type === 'core') return undefined;
  const row = newRow(context, prepared);
  const result: Stored = { outcome: 'created', memory: toMemory(row) };
  const done = await context.append({ row, analysis: prepared.analysis }, [result], storedEvent(result));
  return done ? [result] : undefined;
}

function canClash({ draft }: Prepared): boolean {
  return draft.key !== undefined;
}

/**
 * Stores prepared memories in order, all or none: a known key updates that memory, or queues the change where the
 * Guardian protects it. No key may occur twice in one call.
 *
 * @throws SvcError `GUARDIAN_PROTECTED` when a change to one of them is already pending; `CONFLICT` when a key
 *   belongs to a memory of another type.
 */
export async function storePrepared(
  tx: Tx,
  context: Context,
  prepared: readonly Prepared[],
  { source = context.actor.source }: { source?: Source } = {},
): Promise<Stored[]> {
  const existing = await lockByKey(tx, context, prepared);
  const fresh = prepared.filter(({ draft }) => draft.key === undefined || !existing.has(draft.key));
  const created = await insertMemories(tx, context, fresh, source);
  const results: Stored[] = [];
  for (const item of prepared) {
    const memory = created.get(item);
    const result = memory
      ? { outcome: 'created' as const, memory: toMemory(memory) }
      : await upsert(tx, context, item, existing, source);
    if (result.outcome === 'created' || result.outcome === 'updated') await emitStored(tx, context, result);
    results.push(result);
  }
  return results;
}

/** The event every stored or changed memory causes. Spec: Events, memory.stored. */
export function emitStored(tx: Tx, context: Context, result: Stored): Promise<void> {
  const { type, data } = storedEvent(result);
  return context.emit(tx, type, data);
}

function storedEvent({ outcome, memory: { id, type, version } }: Stored) {
  return { type: 'memory.stored', data: { memory_id: id, type, version, outcome } };
}

/** Tells plugins of what was committed. */
export async function announceStored(context: Context, results: readonly Stored[]): Promise<void> {
  for (const { memory, outcome } of results) {
    await context.plugins.notify('memory:stored', { memory, outcome }, context);
  }
}

async function lockByKey(tx: Tx, { tenantId }: Context, prepared: readonly Prepared[]) {
  const keys = prepared.flatMap(({ draft }) => draft.key ?? []);
  if (keys.length === 0) return new Map<string, MemoryRow>();
  // Index memories_key; ordered, so that concurrent batches queue up instead of deadlocking.
  const found = await tx
    .select()
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), inArray(memories.key, keys), isNull(memories.archivedAt)))
    .orderBy(memories.key)
    .for('update');
  return new Map(found.map((row) => [row.key ?? '', row]));
}

async function insertMemories(tx: Tx, context: Context, fresh: readonly Prepared[], source: Source) {
  const created = new Map<Prepared, MemoryRow>();
  if (fresh.length === 0) return created;
  const byId = new Map(
    fresh.map((item) => {
      const row = newRow(context, item, source);
      return [row.id, { item, row }];
    }),
  );
  const analyses = [...byId].map(([id, { item }]) => ({ id, analysis: item.analysis }));
  const inserting = rows<{ id: string }>(tx, insertStatement([...byId.values()].map(({ row }) => row)));
  // Where nothing can clash, all goes to the database at once, without a wait in between.
  const clashing = fresh.some(canClash);
  const [ids] = clashing
    ? [await inserting]
    : await together([inserting, indexMemories(tx, context, analyses)]);
  const there = new Set(ids.map(({ id }) => id));
  const inserted = [...byId.values()].filter(({ row }) => there.has(row.id));
  for (const { item, row } of inserted) created.set(item, row);
  const stored = [...created.values()];
  context.grow(sizeOf(stored));
  await recordAdditions(tx, context, stored, source);
  if (clashing) {
    const indexed = analyses.filter(({ id }) => there.has(id));
    await indexMemories(tx, context, indexed);
  }
  return created;
}

async function upsert(
  tx: Tx,
  context: Context,
  item: Prepared,
  existing: ReadonlyMap<string, MemoryRow>,
  source: Source,
): Promise<Stored> {
  const key = item.draft.key ?? '';
  const row = existing.get(key) ?? (await lockByKey(tx, context, [item])).get(key);
  // The clashing memory was archived between the two statements: its key is free again.
  if (!row) return insertAgain(tx, context, item, source);
  if (row.type !== item.draft.type) throw otherType(key, row);
  const fields = toFields(item.draft, context.now);
  if (await repeatsProtected(tx, context, row, toFields(item.draft, row.occurredAt))) {
    return { outcome: 'unchanged', memory: toMemory(row) };
  }
  const entry = await guard(tx, context, row, { fields, analysis: item.analysis, source });
  if (entry) return { outcome: 'queued', memory: toMemory(row), entry };
  const changed = await changeMemory(tx, context, row, {
    change: 'updated',
    fields,
    analysis: item.analysis,
    source,
    ...(item.draft.session_id === undefined ? {} : { sessionId: item.draft.session_id }),
  });
  return { outcome: 'updated', memory: toMemory(changed) };
}

function otherType(key: string, { id, type }: MemoryRow): SvcError {
  const message = `The key ${JSON.stringify(key)} belongs to a ${type} memory. PATCH that memory to change its type.`;
  return new SvcError('CONFLICT', message, { details: { memory_id: id, type } });
}

async function insertAgain(tx: Tx, context: Context, item: Prepared, source: Source): Promise<Stored> {
  const row = (await insertMemories(tx, context, [item], source)).get(item);
  return row ? { outcome: 'created', memory: toMemory(row) } : upsert(tx, context, item, new Map(), source);
}
