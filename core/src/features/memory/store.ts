import { and, eq, inArray, isNull } from 'drizzle-orm';
import { addToCounter, writeBatched } from '../../kernel/commit/call-context.ts';
import type { Context } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { chunksOf } from '../../kernel/database/parameters.ts';
import { awaitInOrder } from '../../kernel/runtime/waiting.ts';
import type { Stored } from '../records/contract.ts';
import { fieldsOf, type MemoryFields, sameFields, toMemory } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { corpusCounter, corpusDelta } from '../search-index/corpus-delta.ts';
import { type IndexEntry, indexMemories, toIndexEntries } from '../search-index/index-memories.ts';
import { changesAny } from '../supersession/compare-fact.ts';
import type { IndexedRow } from '../supersession/held-memories.ts';
import { noteConflicts } from '../supersession/note-conflicts.ts';
import { refuseUnseenKeys } from '../visibility/keys.ts';
import { levelsOf, viewOf } from '../visibility/view.ts';
import { changeMemory, marksAfter } from './change.ts';
import { heldAs } from './change-policy.ts';
import { type ComparisonResult, compareAgain, compareFacts } from './compare-facts.ts';
import type { NewMemory } from './contract.ts';
import type { Announce } from './facts-being-stored.ts';
import { lockDatedAnew, standsAlone } from './follow-dates.ts';
import { conflictsOf, insertStatement, newRow, type Prepared, toFields } from './insert.ts';
import { idsOfSuperseded, lockForReplacing, markReplaced, planReplacement } from './plan-replacement.ts';
import { planSupersession } from './plan-supersession.ts';
import { confirm, effectsOf, effectsOfNew, markSuperseded, release, undecidedAmong } from './supersede.ts';
import { requireTimes } from './times.ts';
import { refuseUserCore } from './user-core.ts';

/** Rows that one statement inserts: some ten milliseconds' work for the embedded database. */
const ROWS_AT_ONCE = 50;

/**
 * Does the slow part of storing, outside any transaction: plugins, analysis, embedding, comparison with related facts.
 *
 * @param options.source Who the memories are recorded under; default: the caller.
 * @param options.announce See `FactsBeingStored`.
 */
export async function prepareMemories(
  context: Context,
  drafts: readonly NewMemory[],
  {
    source = context.actor.source,
    announce,
  }: { readonly source?: Source; readonly announce?: Announce } = {},
): Promise<Prepared[]> {
  const accepted: NewMemory[] = [];
  for (const [index, draft] of drafts.entries()) {
    const asked = await context.hooks.run('memory:beforeStore', draft, context);
    const within = placeOf(drafts, index);
    refuseUserCore(context, asked, `${within}type`);
    // A known key may have the times that a draft leaves out.
    if (asked.key === undefined) requireTimes(toFields(asked, context.now), { now: context.now, within });
    accepted.push(asked);
  }
  const analyses = await toIndexEntries(
    context,
    accepted.map((draft) => draft.content),
  );
  const analyzed = accepted.map((draft, index) => ({
    draft,
    analysis: analyses[index] as IndexEntry,
    within: placeOf(drafts, index),
  }));
  const comparison = await compareFacts(context, analyzed, source, announce);
  return analyzed.map((item) => withComparison(item, comparison));
}

/** Compares prepared memories with the database, where those of this process that they were compared with are outdated. */
export async function prepareAgain(context: Context, prepared: readonly Prepared[]): Promise<Prepared[]> {
  const comparison = await compareAgain(context, prepared, context.actor.source);
  return prepared.map(({ draft, analysis, within }) =>
    withComparison({ draft, analysis, ...(within !== undefined && { within }) }, comparison),
  );
}

/** The prefix of a field's path in an error: of one memory none, of several `memories.3.`. */
function placeOf(memories: readonly unknown[], index: number): string {
  return memories.length === 1 ? '' : `memories.${index}.`;
}

function withComparison(
  item: Pick<Prepared, 'draft' | 'analysis' | 'within'>,
  { comparisons, held }: ComparisonResult,
): Prepared {
  const own = comparisons.get(item.draft);
  return { ...item, ...(own && { comparison: own }), ...(held && { held }) };
}

/**
 * Stores one prepared memory together with those of other calls, where it changes no other memory: it has no key, is not core, and
 * replaces nothing.
 *
 * @returns undefined where nothing was done: then `storePrepared` stores it, or throws why it cannot.
 */
export async function insertBatched(context: Context, prepared: Prepared): Promise<Stored[] | undefined> {
  if (hasKey(prepared) || prepared.draft.type === 'core' || changesOthers(context, prepared))
    return undefined;
  const row = newRow(context, prepared);
  const effects = effectsOfNew(row, prepared, NO_CHANGES);
  const result: Stored = { outcome: 'created', memory: toMemory(row), ...effects };
  const { insertBatcher } = context;
  const { analysis, held } = prepared;
  const changes = [{ counter: corpusCounter, by: corpusDelta([row]) }];
  const addition = { answer: [result], event: storedEvent(result), changes };
  const done = await writeBatched(context, addition, (commit, kept) =>
    insertBatcher.insert({ commit, added: { row, analysis }, kept, held }),
  );
  return done ? [result] : undefined;
}

const NO_CHANGES = { replacements: [], ofCall: new Map() };

/** Whether storing a memory changes another one or leaves a conflict to the language model, or it is not to be stored at all. */
function changesOthers({ languageModel }: Context, { draft, comparison }: Prepared): boolean {
  if (draft.supersedes) return true;
  if (!comparison) return false;
  return (languageModel !== undefined && comparison.undecided.length > 0) || changesAny(comparison);
}

/** Ids of the superseded memories whose successor the caller may read: of one that is withheld, nothing may show. */
async function endedAmong(
  tx: Tx,
  context: Context,
  found: readonly MemoryRow[],
): Promise<ReadonlySet<string>> {
  const successors = found.flatMap(({ supersededBy }) => supersededBy ?? []);
  if (successors.length === 0) return new Set();
  const { tenantId } = context;
  const level = await levelsOf(tx, { tenantId, view: await viewOf(tx, context) }, successors);
  const ended = found.filter(({ supersededBy }) => supersededBy !== null && level(supersededBy) === 'full');
  return new Set(ended.map(({ id }) => id));
}

function hasKey({ draft }: Prepared): boolean {
  return draft.key !== undefined;
}

/**
 * Stores prepared memories in order, all or none: a known key updates that memory, its type included, or queues the change
 * where the Guardian protects it. No key may occur twice in one call.
 *
 * @param options.inserted Gets the rows that are new, as they were inserted; none where they had to be compared anew.
 * @throws SvcError `GUARDIAN_PROTECTED` when a change to one of them is already pending; `FORBIDDEN` when a key may belong
 *   to a memory that is withheld from the caller.
 */
export async function storePrepared(
  tx: Tx,
  context: Context,
  prepared: readonly Prepared[],
  { source = context.actor.source, inserted }: { source?: Source; inserted?: IndexedRow[] } = {},
): Promise<Stored[]> {
  await refuseUnseenKeys(tx, context, keysOf(prepared));
  const replacing = prepared
    .filter(hasKey)
    .flatMap(({ draft, comparison }) => [...(draft.supersedes ?? []), ...idsOfSuperseded(comparison)]);
  const dated = await lockKeyedDatedAnew(tx, context, prepared, source, replacing);
  if (!dated && replacing.length > 0) await lockForReplacing(tx, context, [], replacing);
  const existing = await lockByKey(tx, context, prepared);
  const fresh = prepared.filter(({ draft }) => draft.key === undefined || !existing.has(draft.key));
  const created = await insertMemories(tx, context, fresh, source, inserted);
  // What was inserted may have superseded what has a key of this call.
  let current = existing.size > 0 && fresh.length > 0 ? await lockByKey(tx, context, prepared) : existing;
  const ended = await endedAmong(tx, context, [...existing.values()]);
  const results: Stored[] = [];
  for (const item of prepared) {
    const result = created.get(item) ?? (await upsert(tx, context, item, { current, ended }, source));
    // An upsert may have as well, or have moved it in its chain.
    if (result.outcome === 'updated' && (result.superseded || dated)) {
      current = await lockByKey(tx, context, prepared);
    }
    if (result.outcome === 'created' || result.outcome === 'updated') await emitStored(tx, context, result);
    results.push(result);
  }
  return results;
}

/** The event every stored or changed memory causes. */
export function emitStored(tx: Tx, context: Context, result: Stored): Promise<void> {
  const { type, data } = storedEvent(result);
  return context.emit(tx, type, data);
}

function storedEvent({ outcome, memory: { id, type, version } }: Stored) {
  return { type: 'memory.stored', data: { memory_id: id, type, version, outcome } };
}

/** Tells plugins of what was committed. */
export async function notifyStored(context: Context, results: readonly Stored[]): Promise<void> {
  for (const { memory, outcome } of results) {
    await context.hooks.notify('memory:stored', { memory, outcome }, context);
  }
}

function keysOf(prepared: readonly Prepared[]) {
  return prepared.flatMap(({ draft: { key } }, index) =>
    key === undefined ? [] : [{ path: `${placeOf(prepared, index)}key`, key }],
  );
}

/** Locks, before anything else is, the chains of the memories that a call dates anew by their keys. */
async function lockKeyedDatedAnew(
  tx: Tx,
  context: Context,
  prepared: readonly Prepared[],
  source: Source,
  others: readonly string[],
): Promise<boolean> {
  const drafts = new Map(prepared.filter(hasKey).map(({ draft }) => [draft.key ?? '', draft]));
  if (drafts.size === 0) return false;
  const { tenantId, key, archivedAt } = memories;
  // Index memories_key.
  const found = await tx
    .select()
    .from(memories)
    .where(and(eq(tenantId, context.tenantId), inArray(key, [...drafts.keys()]), isNull(archivedAt)));
  const dated = found.flatMap((row) => {
    const draft = drafts.get(row.key ?? '');
    if (!draft) return [];
    const anew = row.supersededBy !== null && saysAnew(draft, source) ? context.now : undefined;
    return [{ row, fields: mergeFields(row, draft, anew) }];
  });
  return (await lockDatedAnew(tx, context, dated, others)) !== undefined;
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

/** Inserts the memories whose key is free. What the Guardian holds back is not inserted, and answered as queued. */
async function insertMemories(
  tx: Tx,
  context: Context,
  fresh: readonly Prepared[],
  source: Source,
  inserted: IndexedRow[] = [],
) {
  const results = new Map<Prepared, Stored>();
  if (fresh.length === 0) return results;
  const compared = new Map(fresh.map((item) => [newRow(context, item, source), item]));
  for (const row of compared.keys()) if (row.key !== null) requireTimes(row, { now: context.now });
  const plan = await planSupersession(tx, context, compared, (outdated) =>
    compareRowsAgain(tx, context, outdated, source),
  );
  const { items } = plan;
  const wanted = [...items.keys()].filter((row) => !plan.again.has(row));
  const heldBack = await context.changePolicy.submitAdditions(tx, context, wanted, source);
  const answer = (row: MemoryRow, stored: Stored) => {
    const asked = compared.get(row);
    if (asked) results.set(asked, stored);
  };
  for (const row of items.keys()) {
    const held = heldBack.get(row.id);
    if (held) answer(row, held);
  }
  const admitted = wanted.filter(({ id }) => !heldBack.has(id));
  const stored = await insertAdmitted(tx, context, admitted, items, source);
  const isStored = new Set(stored);
  for (const row of stored) {
    const item = items.get(row);
    if (!item) continue;
    answer(row, { outcome: 'created', memory: toMemory(row), ...effectsOfNew(row, item, plan) });
    if (items === compared) inserted.push({ row, analysis: item.analysis });
  }
  await release(tx, context, plan.released, source);
  const made = plan.replacements.filter(({ newer }) => isStored.has(newer) || !items.has(newer));
  await markSuperseded(tx, context, made, source);
  await noteConflicts(tx, context, undecidedAmong(items, isStored));
  for (const [row, same] of plan.again) answer(row, await confirm(tx, context, same, row, source));
  return results;
}

/** Compares new memories with what is stored now. */
async function compareRowsAgain(
  tx: Tx,
  context: Context,
  items: ReadonlyMap<MemoryRow, Prepared>,
  source: Source,
): Promise<ReadonlyMap<MemoryRow, Prepared>> {
  const { comparisons } = await compareAgain(context, [...items.values()], source, tx);
  return new Map(
    [...items].map(([row, { comparison: _, ...item }]) => {
      const comparison = comparisons.get(item.draft);
      row.conflictsWith = conflictsOf(comparison);
      return [row, { ...item, ...(comparison && { comparison }) }];
    }),
  );
}

/** Inserts and indexes rows. Returns those that were inserted: the key of the others is taken. */
async function insertAdmitted(
  tx: Tx,
  context: Context,
  admitted: readonly MemoryRow[],
  items: ReadonlyMap<MemoryRow, Prepared>,
  source: Source,
): Promise<readonly MemoryRow[]> {
  if (admitted.length === 0) return [];
  const analyses = admitted.flatMap((row) => {
    const item = items.get(row);
    return item ? [{ id: row.id, type: row.type, analysis: item.analysis }] : [];
  });
  const inserting = insertRows(tx, admitted);
  // Without keys every row is inserted, so its index rows are sent along without waiting for the answer.
  const clashing = admitted.some(({ key }) => key !== null);
  const [ids] = clashing
    ? [await inserting]
    : await awaitInOrder([inserting, indexMemories(tx, context, analyses)]);
  const there = new Set(ids.map(({ id }) => id));
  const stored = admitted.filter(({ id }) => there.has(id));
  addToCounter(context, corpusCounter, corpusDelta(stored));
  await context.changePolicy.recordAdditions(tx, context, stored, source);
  if (clashing)
    await indexMemories(
      tx,
      context,
      analyses.filter(({ id }) => there.has(id)),
    );
  return stored;
}

/** Inserts the rows whose key is free, and returns their ids. */
async function insertRows(tx: Tx, all: readonly MemoryRow[]): Promise<{ id: string }[]> {
  const statements = chunksOf(all, ROWS_AT_ONCE).map(insertStatement);
  const inserted = await awaitInOrder(statements.map((statement) => rows<{ id: string }>(tx, statement)));
  return inserted.flat();
}

/** The memories that a call finds under its keys. */
interface Existing {
  readonly current: ReadonlyMap<string, MemoryRow>;
  /** Ids of those whose place another had taken before the call. */
  readonly ended: ReadonlySet<string>;
}

async function upsert(
  tx: Tx,
  context: Context,
  item: Prepared,
  { current, ended }: Existing,
  source: Source,
): Promise<Stored> {
  const key = item.draft.key ?? '';
  const row = current.get(key) ?? (await lockByKey(tx, context, [item])).get(key);
  // The clashing memory was archived between the two statements: its key is free again.
  if (!row) return insertAgain(tx, context, item, source);
  if (row.expiresAt && row.expiresAt <= context.now) {
    await changeMemory(tx, context, row, {
      change: 'archived',
      archivedAt: context.now,
      decided: { author: context.actor },
    });
    return insertAgain(tx, context, item, source);
  }
  const beginsAnew = ended.has(row.id) && saysAnew(item.draft, source);
  const fields = mergeFields(row, item.draft, beginsAnew ? context.now : undefined);
  requireTimes(fields, { now: context.now, before: row });
  const sessionId = item.draft.session_id ?? row.sessionId;
  const around = await lockDatedAnew(tx, context, [{ row, fields }]);
  const saysAnother = beginsAnew || fields.content !== row.content;
  const isNews = saysAnother || (around !== undefined && standsAlone(row, around));
  const { comparison } = item;
  const compareAnew = async (inside: Tx) =>
    (await compareAgain(context, [item], source, inside)).comparisons.get(item.draft);
  const compared = isNews ? { before: row, comparison, compareAnew } : undefined;
  const { supersedes } = item.draft;
  const after = { ...row, ...fields, ...marksAfter(row, { fields }) };
  const asked = { supersedes, compared, around, holdsAgain: beginsAnew };
  const plan = await planReplacement(tx, context, after, asked);
  if (sameFields(fieldsOf(row), fields) && sessionId === row.sessionId && !plan.isNamed) {
    await context.changePolicy.refuseWhilePending(tx, context, row);
    return { outcome: 'unchanged', memory: toMemory(row) };
  }
  const entry = await context.changePolicy.submit(tx, context, row, { fields, source });
  if (entry) return { outcome: heldAs(entry), memory: toMemory(row), entry };
  const changed = await changeMemory(tx, context, row, {
    change: 'updated',
    fields,
    ...(fields.content === row.content ? {} : { analysis: item.analysis }),
    source,
    sessionId,
    link: plan.link,
  });
  const replaced = await markReplaced(tx, context, changed, plan, source);
  return { outcome: 'updated', memory: toMemory(changed), ...effectsOf(replaced, plan.comparison) };
}

/**
 * Whether an upsert says what its key stands for from now on, so that a superseded memory begins to hold again. It does not where
 * the caller gives times of its own or names what it supersedes, nor where it comes from outside.
 */
function saysAnew({ occurred_at, valid_from, supersedes }: NewMemory, source: Source): boolean {
  const names = [occurred_at, valid_from, supersedes].some((field) => field !== undefined);
  return !names && (source === 'agent' || source === 'human');
}

/**
 * The fields of a stored memory after an upsert: what the draft leaves out stays.
 *
 * @param anew When it begins to hold again; default: as before.
 */
function mergeFields(row: MemoryRow, draft: NewMemory, anew?: Date): MemoryFields {
  const { validTo, ...stored } = fieldsOf(row);
  const kept = anew && validTo && validTo <= anew ? null : validTo;
  return {
    ...stored,
    type: draft.type,
    content: draft.content,
    category: draft.category ?? stored.category,
    tags: draft.tags ?? stored.tags,
    importance: draft.importance ?? stored.importance,
    occurredAt: draft.occurred_at ?? stored.occurredAt,
    validFrom: draft.valid_from ?? anew ?? stored.validFrom,
    validTo: draft.valid_to === undefined ? kept : draft.valid_to,
    expiresAt: draft.expires_at === undefined ? stored.expiresAt : draft.expires_at,
    metadata: draft.metadata ?? stored.metadata,
  };
}

async function insertAgain(tx: Tx, context: Context, item: Prepared, source: Source): Promise<Stored> {
  const result = (await insertMemories(tx, context, [item], source)).get(item);
  return result ?? upsert(tx, context, item, { current: new Map(), ended: new Set() }, source);
}
