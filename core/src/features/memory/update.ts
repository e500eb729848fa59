import type { Context, Operation } from '../../kernel/context/context.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import { withoutUndefined } from '../../kernel/contract/settings.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { analyzeDocument } from '../../text/analyze-document.ts';
import type { Stored } from '../records/contract.ts';
import {
  contentSourceOf,
  fieldsOf,
  type MemoryFields,
  STATED_FREE,
  sameFields,
  toMemory,
} from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';
import { type IndexEntry, toIndexEntries } from '../search-index/index-memories.ts';
import type { FactComparison } from '../supersession/compare-fact.ts';
import { shownVersion, showStored } from '../visibility/show.ts';
import { mayRead, refuseUnseenChange } from '../visibility/withheld.ts';
import { changeMemory, marksAfter } from './change.ts';
import { compareChanged } from './compare-facts.ts';
import type { MemoryChanges, memoryRoutes, NewMemory } from './contract.ts';
import { findMemory } from './find.ts';
import { type ChainRows, lockDatedAnew, standsAlone } from './follow-dates.ts';
import { type Related, toDraft } from './insert.ts';
import { idsOfSuperseded, lockForReplacing, markReplaced, planReplacement } from './plan-replacement.ts';
import { emitStored, notifyStored } from './store.ts';
import { effectsOf, emitSuperseded } from './supersede.ts';
import { requireTimes } from './times.ts';
import { refuseUserCore } from './user-core.ts';

type Asked = ParsedOf<typeof memoryRoutes.update>;

/** Changes fields of one memory; protected ones go through the Guardian. */
export const update: Operation<typeof memoryRoutes.update> = async (context, asked) => {
  const prepared = await prepareUpdate(context, asked);
  const result = await context.write((tx) => applyUpdate(tx, context, prepared, context.options.ifMatch));
  if (result.outcome === 'updated') await notifyStored(context, [result]);
  return showStored(context, result);
};

/** A change ready to be made: plugins have had their say, terms and vector are made. */
interface PreparedUpdate {
  readonly asked: Asked;
  readonly fields: Partial<MemoryFields>;
  readonly analysis: IndexEntry | undefined;
  /** How its new content stands to other facts. */
  readonly comparison: FactComparison<Related> | undefined;
  /** Compares it with what is stored now. */
  readonly compareAnew: (tx: Tx) => Promise<FactComparison<Related> | undefined>;
}

/** The slow part of a change, outside any transaction. */
export async function prepareUpdate(context: Context, asked: Asked): Promise<PreparedUpdate> {
  const { id, supersedes: _, superseded_by: __, ...changes } = asked;
  const { row, draft, fields } = await consultPlugins(context, id, toFields(changes));
  const isDated = fields.validFrom !== undefined || fields.occurredAt !== undefined;
  if (fields.content === undefined && !isDated)
    return { asked, fields, analysis: undefined, comparison: undefined, compareAnew: async () => undefined };
  // A new date needs no vector.
  const [analysis] = fields.content === undefined ? [] : await toIndexEntries(context, [draft.content]);
  const compared = { draft, analysis: analysis ?? { terms: analyzeDocument(draft.content) } };
  const isSaid = draft.content !== row.content;
  // Who only dates what another source said does not say it.
  const source = isSaid ? context.actor.source : contentSourceOf(row);
  const compareAnew = (tx?: Tx) => compareChanged(context, compared, id, source, tx);
  return { asked, fields, analysis, comparison: await compareAnew(), compareAnew };
}

/**
 * Makes a prepared change, or queues it where the Guardian protects the memory.
 *
 * @param version That the memory must have; default: any.
 * @throws SvcError `CONFLICT` where it has another.
 */
export async function applyUpdate(
  tx: Tx,
  context: Context,
  prepared: PreparedUpdate,
  version?: number,
): Promise<Stored> {
  const { changePolicy } = context;
  const { asked, analysis } = prepared;
  const { id, supersedes, superseded_by, ...changes } = asked;
  const around = await lockOthers(tx, context, prepared);
  const row = await findMemory(tx, context, id, { lock: true });
  const isRead = await refuseUnseenChange(tx, context, row, { ...changes, supersedes, superseded_by });
  if (version !== undefined) await requireShownVersion(tx, context, row, version);
  const fields = { ...fieldsOf(row), ...prepared.fields };
  requireTimes(fields, { now: context.now, before: row });
  refuseUserCore(context, fields, 'type');
  if (fields.type === 'core' && fields.category === null) {
    throw invalid('category', 'is required when type is core');
  }
  const freed = superseded_by === null && (await hasShownSuccessor(tx, context, row));
  const link = freed ? STATED_FREE : undefined;
  const marked = { ...row, ...marksAfter(row, { fields, link }) };
  const { comparison, compareAnew } = prepared;
  const compared = isNews(row, fields, around) ? { before: row, comparison, compareAnew } : undefined;
  const after = { ...marked, ...fields };
  const plan = await planReplacement(tx, context, after, { supersedes, compared, around });
  // To a caller who may not read the memory, "unchanged" would tell that what they sent is what is stored.
  if (isRead && sameFields(fieldsOf(row), fields) && !freed && !plan.isNamed) {
    await changePolicy.refuseWhilePending(tx, context, row);
    return { outcome: 'unchanged', memory: toMemory(row) };
  }
  // Like a supersession: what holds again says who the agent is. An entry has no room for it, so that it would wait for nothing.
  if (freed) await changePolicy.assertApproved(tx, context, row, null);
  const entry = await changePolicy.submit(tx, context, row, { fields });
  if (entry) return { outcome: 'queued', memory: toMemory(row), entry };
  const changed = await changeMemory(tx, context, row, {
    change: 'updated',
    fields,
    ...(analysis && fields.content !== row.content ? { analysis } : {}),
    link: link ?? plan.link,
  });
  const replaced = await markReplaced(tx, context, changed, plan, context.actor.source);
  if (changed.supersededBy !== null && changed.supersededBy !== row.supersededBy)
    await emitSuperseded(tx, context, changed.id, changed.supersededBy);
  const memory = toMemory(changed);
  const stored: Stored = { outcome: 'updated', memory, ...effectsOf(replaced, plan.comparison) };
  await emitStored(tx, context, stored);
  return stored;
}

/** Locks, before anything else is, what the change may supersede or pass. */
async function lockOthers(
  tx: Tx,
  context: Context,
  { asked, fields, comparison }: PreparedUpdate,
): Promise<ChainRows | undefined> {
  const { id, supersedes } = asked;
  const others = [...(supersedes ?? []), ...idsOfSuperseded(comparison)];
  const dates = fields.validFrom !== undefined || fields.occurredAt !== undefined;
  const row = dates ? await findMemory(tx, context, id) : undefined;
  const dated = row ? [{ row, fields: { ...fieldsOf(row), ...fields } }] : [];
  const around = await lockDatedAnew(tx, context, dated, others);
  if (!around && others.length > 0) await lockForReplacing(tx, context, [id], others);
  return around;
}

/**
 * Whether a changed memory is compared with other facts: where it says something else, or the same of another time and stands in no
 * chain.
 */
function isNews(row: MemoryRow, fields: MemoryFields, around: ChainRows | undefined): boolean {
  return fields.content !== row.content || (around !== undefined && standsAlone(row, around));
}

/** Whether another memory supersedes this one, as far as the caller may know: of one that is withheld, they are told nothing. */
async function hasShownSuccessor(tx: Tx, context: Context, { supersededBy }: MemoryRow): Promise<boolean> {
  return supersededBy !== null && (await mayRead(tx, context, supersededBy));
}

/** Lets plugins see the whole memory as it would become; what they change joins the asked changes. */
async function consultPlugins(context: Context, id: string, asked: Partial<MemoryFields>) {
  const row = await context.read((tx) => findMemory(tx, context, id));
  const draft = toDraft({ ...fieldsOf(row), ...asked });
  const decided = await context.hooks.run('memory:beforeStore', draft, context);
  // What a plugin leaves as it is stays out of the change: another caller may change it meanwhile.
  const changes = Object.entries(decided).filter(([name, value]) => value !== draft[name as keyof NewMemory]);
  const fields = decided === draft ? asked : { ...asked, ...toFields(Object.fromEntries(changes)) };
  return { row, draft: decided, fields };
}

function toFields(changes: MemoryChanges): Partial<MemoryFields> {
  const { occurred_at, valid_from, valid_to, expires_at, ...others } = changes;
  return withoutUndefined({
    ...others,
    occurredAt: occurred_at,
    validFrom: valid_from,
    validTo: valid_to,
    expiresAt: expires_at,
  });
}

/**
 * Refuses what was asked for another version than the caller sees of a locked memory.
 *
 * @throws SvcError `CONFLICT`.
 */
export async function requireShownVersion(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  wanted: number,
): Promise<void> {
  const version = await shownVersion(tx, context, toMemory(row));
  if (wanted === version) return;
  throw new SvcError('CONFLICT', `The memory is at version ${version}, not ${wanted}.`, {
    details: { version },
  });
}
