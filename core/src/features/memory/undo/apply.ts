import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../../../kernel/context/context.ts';
import type { OutputOf } from '../../../kernel/contract/route.ts';
import type { Tx } from '../../../kernel/database/database.ts';
import { texts, uuids } from '../../../kernel/database/parameters.ts';
import type { Stored } from '../../records/contract.ts';
import { fieldsOf, foundLink, sameFields, toMemory } from '../../records/row.ts';
import { type MemoryRow, memories, memoryVersions } from '../../records/schema.ts';
import type { IndexEntry } from '../../search-index/index-memories.ts';
import { circlesWith, lastOfCircles, lockChains } from '../chain.ts';
import { changeMemory } from '../change.ts';
import type { Writings } from '../change-policy.ts';
import type { memoryRoutes } from '../contract.ts';
import { lockDatedAnew, moveOthers, planMove } from '../follow-dates.ts';
import { emitStored } from '../store.ts';
import { isWritten, loadPlans, type UndoPlan } from './plan.ts';
import type { Remains } from './replay.ts';

export type UndoneChanges = OutputOf<typeof memoryRoutes.undo>['changes'];

/** What was prepared outside the transaction. */
interface Prepared {
  readonly plans: readonly UndoPlan[];
  readonly analyses: ReadonlyMap<string, IndexEntry>;
  readonly final: boolean;
}

/** What an undo of some memories has come to so far. */
interface Progress {
  readonly changes: Omit<UndoneChanges, 'cancelled'>;
  /** Ids of memories to try again. */
  readonly deferred: string[];
  /** Those that it changed or brought back. */
  readonly stored: Stored[];
  /** Ids of memories of which nothing is left to undo. */
  readonly done: string[];
  /** All that it changed, archived ones too. */
  readonly undone: MemoryRow[];
}

/**
 * Undoes some memories, all or none.
 *
 * @returns What was done, those that it changed or brought back, and the ids of memories to try again: they changed meanwhile,
 *   their key is taken, or they supersede what would supersede them.
 */
export async function undoChunk(tx: Tx, context: Context, writings: Writings, prepared: Prepared) {
  const changes = { archived: 0, restored: 0, reverted: 0, queued: 0, skipped: 0 };
  const progress: Progress = { changes, deferred: [], stored: [], done: [], undone: [] };
  await lockForLinking(tx, context, prepared.plans);
  const allowed = await findAllowed(tx, context, { writings, plans: prepared.plans, progress });
  const staying = allowed.filter(({ remains }) => !remains.archived);
  // Archived ones give their keys free for those that want them back.
  for (const plan of allowed.filter(({ remains }) => remains.archived)) {
    progress.undone.push(await apply(tx, context, plan, undefined));
    if (!plan.row.archivedAt) changes.archived += 1;
    progress.done.push(plan.row.id);
  }
  await bringBack(tx, context, staying, prepared, progress);
  const { deferred, stored, done, undone } = progress;
  await context.changePolicy.recordUndone(tx, context, undone);
  for (const plan of staying.filter(({ row }) => done.includes(row.id))) await followDates(tx, context, plan);
  await markUndone(tx, context, writings, done);
  for (const one of stored) await emitStored(tx, context, one);
  return { changes, deferred, stored };
}

/** Those that still are as planned, would change, and may: who asks for protected ones waits for the human. */
async function findAllowed(
  tx: Tx,
  context: Context,
  asked: { readonly writings: Writings; readonly plans: readonly UndoPlan[]; readonly progress: Progress },
): Promise<UndoPlan[]> {
  const { writings, plans, progress } = asked;
  const planned = new Map(plans.map(({ row }) => [row.id, row.version]));
  const allowed: UndoPlan[] = [];
  for (const plan of await loadPlans(tx, context, writings, [...planned.keys()], { lock: true })) {
    if (plan.row.version !== planned.get(plan.row.id)) progress.deferred.push(plan.row.id);
    else if (!differs(plan)) progress.done.push(plan.row.id);
    else {
      const decision = await submit(tx, context, plan);
      if (decision === 'apply') allowed.push(plan);
      else progress.changes[decision === 'queued' ? 'queued' : 'skipped'] += 1;
    }
  }
  return allowed;
}

/** Gives memories what they were before, as far as nothing else has taken their keys or their places in chains. */
async function bringBack(
  tx: Tx,
  context: Context,
  plans: readonly UndoPlan[],
  { analyses, final }: Prepared,
  { changes, deferred, stored, done, undone }: Progress,
): Promise<void> {
  const blocked = await findBlocked(tx, context, plans);
  const waits = (id: string) => blocked.has(id) && !final;
  const circles = await findCircles(tx, context, plans, waits);
  await releaseKeys(
    tx,
    context,
    plans.filter(({ row }) => !blocked.has(row.id)),
  );
  for (const { row, remains } of plans) {
    if (waits(row.id) || (circles.all.has(row.id) && !final)) {
      deferred.push(row.id);
      continue;
    }
    if (blocked.has(row.id) && row.archivedAt) {
      changes.skipped += 1;
      continue;
    }
    const key = blocked.has(row.id) ? row.key : remains.fields.key;
    const possible = withFields(remains, { key, ...(circles.last.has(row.id) && foundLink(null)) });
    const changed = await apply(tx, context, { row, remains: possible }, analyses.get(row.id));
    undone.push(changed);
    stored.push({ outcome: 'updated', memory: toMemory(changed) });
    changes[row.archivedAt ? 'restored' : 'reverted'] += 1;
    done.push(row.id);
  }
}

/** Asks whether an undo may happen now. */
function submit(tx: Tx, context: Context, { row, remains }: UndoPlan) {
  return context.changePolicy.submitUndo(tx, context, row, remains.archived ? null : remains.fields);
}

/** Locks, before anything else is, what the undo may link. */
async function lockForLinking(tx: Tx, context: Context, plans: readonly UndoPlan[]): Promise<void> {
  const dated = plans.filter(({ remains }) => !remains.archived).map(toDated);
  const isMoved = await lockDatedAnew(tx, context, dated);
  if (!isMoved && plans.some(links)) await lockChains(tx, context);
}

function toDated({ row, remains }: UndoPlan) {
  return { row, fields: remains.fields };
}

/**
 * Moves an undone memory in its chain where it begins at another time again: what was told meanwhile found its place by the time
 * that is taken back.
 */
async function followDates(tx: Tx, context: Context, plan: UndoPlan): Promise<void> {
  const around = await lockDatedAnew(tx, context, [toDated(plan)]);
  const row = around?.get(plan.row.id);
  if (!around || !row) return;
  const { own, others } = await planMove(tx, context, row, around);
  const next = { change: 'undone', decided: { author: context.actor } } as const;
  const moved = own ? await changeMemory(tx, context, row, { ...next, link: own }) : row;
  await moveOthers(tx, context, moved, others, next);
}

/** Whether undoing changes anything; what is archived and stays so counts only by its fields. */
export function differs({ row, remains }: UndoPlan): boolean {
  const { sessionId, supersededBy, supersededBasis: _, mergedInto, ...fields } = remains.fields;
  const samePlace =
    sessionId === row.sessionId && supersededBy === row.supersededBy && mergedInto === row.mergedInto;
  if (remains.archived !== (row.archivedAt !== null)) return true;
  return !samePlace || !sameFields(fieldsOf(row), fields);
}

/** Whether undoing lets another memory supersede this one again. */
function links({ row, remains: { fields } }: UndoPlan): boolean {
  return fields.supersededBy !== null && fields.supersededBy !== row.supersededBy;
}

async function apply(
  tx: Tx,
  context: Context,
  { row, remains }: UndoPlan,
  analysis: IndexEntry | undefined,
): Promise<MemoryRow> {
  const { sessionId, supersededBy, supersededBasis, mergedInto, ...fields } = remains.fields;
  const archives = remains.archived && !row.archivedAt;
  return changeMemory(tx, context, row, {
    change: 'undone',
    fields,
    contentSource: remains.contentSource,
    sessionId,
    link: { supersededBy, supersededBasis },
    mergedInto,
    ...(archives ? { archivedAt: context.now } : {}),
    ...(!remains.archived && row.archivedAt ? { archivedAt: null } : {}),
    ...(analysis ? { analysis } : {}),
    decided: { author: context.actor },
  });
}

/**
 * Memories that would lie in a circle with what is to supersede them again, so that none of it would hold, and of each circle the
 * one that begins last.
 *
 * @param waits Whether a memory keeps the link that it has, for now.
 */
async function findCircles(
  tx: Tx,
  context: Context,
  plans: readonly UndoPlan[],
  waits: (id: string) => boolean,
): Promise<{ readonly all: ReadonlySet<string>; readonly last: ReadonlySet<string> }> {
  if (!plans.some(links)) return { all: new Set(), last: new Set() };
  const planned = plans.map(({ row, remains }) => {
    const kept = waits(row.id) ? row : remains.fields;
    return [row.id, kept.supersededBy] as const;
  });
  const circles = await circlesWith(tx, context, new Map(planned));
  const byId = new Map(plans.map(({ row, remains }) => [row.id, { ...remains.fields, id: row.id }]));
  return { all: new Set(circles.flat()), last: lastOfCircles(circles, byId) };
}

/** Memories that cannot have their key back now: somebody holds it who is not about to let it go. */
async function findBlocked(
  tx: Tx,
  context: Context,
  plans: readonly UndoPlan[],
): Promise<ReadonlySet<string>> {
  const keyed = plans.flatMap(({ row, remains: { fields } }) =>
    fields.key === null ? [] : [{ id: row.id, key: fields.key }],
  );
  if (keyed.length === 0) return new Set();
  // Index memories_key.
  const found = await tx
    .select({ id: memories.id, key: memories.key })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, context.tenantId),
        isNull(memories.archivedAt),
        sql`${memories.key} = ANY(${texts(keyed.map(({ key }) => key))})`,
      ),
    );
  const holders = new Map(found.map(({ id, key }) => [key, id]));
  const wants = new Map(plans.map(({ row, remains }) => [row.id, remains.fields.key]));
  const blocked = new Set<string>();
  for (let before = -1; before !== blocked.size; ) {
    before = blocked.size;
    const claimed = new Set<string>();
    for (const { id, key } of keyed) {
      if (blocked.has(id)) continue;
      const holder = holders.get(key);
      const leaves =
        holder !== undefined && wants.has(holder) && !blocked.has(holder) && wants.get(holder) !== key;
      const free = holder === undefined || holder === id || leaves;
      if (claimed.has(key) || !free) blocked.add(id);
      claimed.add(key);
    }
  }
  return blocked;
}

/** Takes the keys off memories that are to have another, so that two may swap theirs. */
async function releaseKeys(tx: Tx, context: Context, plans: readonly UndoPlan[]): Promise<void> {
  const changing = plans.filter(({ row, remains }) => remains.fields.key !== row.key && !row.archivedAt);
  if (changing.length === 0) return;
  const ids = changing.map(({ row }) => row.id);
  await tx
    .update(memories)
    .set({ key: null })
    .where(and(eq(memories.tenantId, context.tenantId), sql`${memories.id} = ANY(${uuids(ids)})`));
}

function withFields(remains: Remains, fields: Partial<Remains['fields']>): Remains {
  return { ...remains, fields: { ...remains.fields, ...fields } };
}

async function markUndone(tx: Tx, { tenantId }: Context, writings: Writings, ids: readonly string[]) {
  if (ids.length === 0) return;
  await tx
    .update(memoryVersions)
    .set({ undone: true })
    .where(
      and(
        eq(memoryVersions.tenantId, tenantId),
        sql`${memoryVersions.memoryId} = ANY(${uuids(ids)})`,
        isWritten(memoryVersions, writings),
      ),
    );
}
