import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { texts } from '../../kernel/database/parameters.ts';
import type { ExactMemory } from '../export/exact.ts';
import type { JobError } from '../jobs/contract.ts';
import { lockChains } from '../memory/chain.ts';
import { changeMemory, marksAfter } from '../memory/change.ts';
import { heldAs } from '../memory/change-policy.ts';
import { compareChanged } from '../memory/compare-facts.ts';
import { findMemory } from '../memory/find.ts';
import { type Prepared, type Related, toDraft } from '../memory/insert.ts';
import {
  idsOfSuperseded,
  lockForReplacing,
  markReplaced,
  planReplacement,
} from '../memory/plan-replacement.ts';
import { emitStored, prepareMemories, storePrepared } from '../memory/store.ts';
import type { Stored } from '../records/contract.ts';
import { fieldsOf, toMemory } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import type { FactComparison } from '../supersession/compare-fact.ts';
import { viewOf } from '../visibility/view.ts';
import { aliasOfExported } from './draft.ts';
import { linkImported } from './link-imported.ts';
import { type ImportedItem, judge, type KnownOrigins, keepOrigins, type Verdict } from './origins.ts';
import { loadKnown } from './own-memories.ts';
import { errorOf, settleOthers, type WriteBatch } from './tally.ts';
import { type Finding, type FoundMemory, settleDraft } from './walk.ts';

type Found = FoundMemory & Pick<Finding, 'path' | 'item'> & { readonly exported?: ExactMemory };
interface Ready {
  readonly found: Found;
  readonly prepared: Prepared;
}

/** A text that is another one now than the memory that it was imported as. */
interface Changed extends Ready {
  readonly memoryId: string;
  readonly comparison: FactComparison<Related> | undefined;
}

/** Prepares findings to be stored like any other memory: new ones, changes by key or origin, and the Guardian's way. */
export async function prepareMemoryBatch(
  context: Context,
  findings: readonly Finding[],
  jobId: string,
): Promise<WriteBatch> {
  const { tally: others, errors: broken } = settleOthers(findings);
  const { all, archived } = memoriesOf(findings);
  const before = judge(all, await context.read((tx) => loadKnown(tx, context, all)), jobId);
  const wanted = all.filter((found) => before.get(found)?.kind !== 'known');
  const { ready, errors: refused } = await prepare(context, wanted);
  const preparedOf = new Map(ready.map(({ found, prepared }) => [found, prepared]));
  const comparisons = await compareChanges(context, ready, before);
  const links = findings.filter((finding) => finding.kind === 'link');
  return async (tx) => {
    if (links.length > 0) await lockChains(tx, context);
    // Looked at again under the lock: another import may have stored some of them meanwhile.
    const known = await loadKnown(tx, context, all);
    const verdicts = judge(all, known, jobId);
    const fresh: Ready[] = [];
    const changed: Changed[] = [];
    for (const found of wanted) {
      const verdict = verdicts.get(found);
      const prepared = preparedOf.get(found);
      if (!prepared || !verdict) continue;
      if (verdict.kind === 'new') fresh.push({ found, prepared });
      else if (verdict.kind === 'changed') {
        const { memoryId } = verdict;
        changed.push({ found, prepared, memoryId, comparison: comparisons.get(found) });
      }
    }
    const results = [...(await storeNew(tx, context, fresh)), ...(await change(tx, context, changed))];
    const outcomes = new Map(results.map((result) => [result.found, result]));
    const settled = all.flatMap((found): ImportedItem[] => {
      const stored = outcomes.get(found)?.stored;
      const verdict = verdicts.get(found)?.kind ?? 'known';
      const memoryId = stored?.memory.id ?? (verdict === 'known' ? ownerOf(found, known) : undefined);
      return memoryId === undefined ? [] : [{ ...notedOrigins(found, verdict, stored), memoryId, verdict }];
    });
    await keepOrigins(tx, context, settled, known, jobId);
    await linkImported(tx, context, links);
    const stored = results.flatMap((result) => result.stored ?? []);
    const errors = results.flatMap(({ error }) => error ?? []);
    const outcome = (name: Stored['outcome']) => stored.filter((one) => one.outcome === name).length;
    return {
      stored,
      tally: {
        created: outcome('created'),
        updated: outcome('updated') + outcome('merged'),
        unchanged: outcome('unchanged'),
        queued: outcome('queued'),
        duplicates: all.length - stored.length - errors.length - refused.length,
        ...others,
        skipped: others.skipped + archived,
      },
      errors: [...broken, ...refused, ...errors],
    };
  };
}

/**
 * What is noted of a finding. Where a memory was there that says the same, its place is not: that memory is not the source's
 * to change when it says something else one day.
 */
function notedOrigins(
  { origins, draft, exported }: Found,
  verdict: Verdict['kind'],
  stored: Stored | undefined,
): Pick<ImportedItem, 'origins' | 'alias'> {
  const isThere = stored?.outcome === 'unchanged' || stored?.outcome === 'merged';
  if (verdict !== 'new' || draft.key !== undefined || !isThere) return { origins };
  return { origins: { text: origins.text }, alias: exported && aliasOfExported(exported.id) };
}

function ownerOf({ origins: { text, place } }: Found, known: KnownOrigins): string | undefined {
  return (known.get(text) ?? (place === undefined ? undefined : known.get(place)))?.memoryId;
}

/** The memories among findings; what is archived or a former version in an export is not one of this agent's. */
function memoriesOf(findings: readonly Finding[]): { all: Found[]; archived: number } {
  const all: Found[] = [];
  let archived = 0;
  for (const finding of findings) {
    const { path, item } = finding;
    if (finding.kind === 'memory') all.push(finding);
    else if (finding.kind === 'version' || (finding.kind === 'exact' && !finding.draft)) archived += 1;
    else if (finding.kind === 'exact' && finding.draft) {
      const settled = [...settleDraft(finding.draft, finding.format)];
      for (const one of settled) {
        if (one.kind === 'memory') all.push({ ...one, path, item, exported: finding.memory });
      }
    }
  }
  return { all, archived };
}

/** Plugins, terms and vectors. A plugin that refuses one memory does not refuse the others. */
async function prepare(
  context: Context,
  fresh: readonly Found[],
): Promise<{ ready: Ready[]; errors: JobError[] }> {
  const together = (found: readonly Found[]) =>
    prepareMemories(
      context,
      found.map(({ draft }) => draft),
    );
  const pair = (found: readonly Found[], prepared: readonly Prepared[]): Ready[] =>
    found.flatMap((one, index) => (prepared[index] ? [{ found: one, prepared: prepared[index] }] : []));
  try {
    return { ready: pair(fresh, await together(fresh)), errors: [] };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
  }
  const ready: Ready[] = [];
  const errors: JobError[] = [];
  for (const found of fresh) {
    try {
      ready.push(...pair([found], await together([found])));
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      errors.push(errorOf(found, error.code, error.message));
    }
  }
  return { ready, errors };
}

/** How the new texts of memories stand to other facts: what else is said of those memories here stays, such as their times. */
async function compareChanges(
  context: Context,
  ready: readonly Ready[],
  verdicts: ReadonlyMap<Found, Verdict>,
): Promise<ReadonlyMap<Found, Changed['comparison']>> {
  const changed = ready.flatMap((one) => {
    const verdict = verdicts.get(one.found);
    return verdict?.kind === 'changed' ? [{ ...one, memoryId: verdict.memoryId }] : [];
  });
  const rows = await readMemories(
    context,
    changed.map(({ memoryId }) => memoryId),
  );
  const comparisons = new Map<Found, Changed['comparison']>();
  for (const { found, prepared, memoryId } of changed) {
    const row = rows.get(memoryId);
    if (!row) continue;
    const { draft, analysis } = prepared;
    const wanted = toDraft({ ...row, content: draft.content });
    comparisons.set(found, await compareChanged(context, { draft: wanted, analysis }, memoryId));
  }
  return comparisons;
}

async function readMemories(
  context: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MemoryRow>> {
  if (ids.length === 0) return new Map();
  const found = await context.read((tx) =>
    tx
      .select()
      .from(memories)
      .where(and(eq(memories.tenantId, context.tenantId), inArray(memories.id, [...ids]))),
  );
  return new Map(found.map((row) => [row.id, row]));
}

interface Result {
  readonly found: Found;
  readonly stored?: Stored;
  readonly error?: JobError;
}

async function storeNew(tx: Tx, context: Context, ready: readonly Ready[]): Promise<Result[]> {
  // What can neither clash nor be refused, as core memories can, goes all at once: one by one each would take a dozen
  // statements.
  const taken = await takenKeys(tx, context, ready);
  // While anything is withheld from the human who imports, each key may be refused.
  const { isFull } = await viewOf(tx, context);
  const free: Ready[] = [];
  const others: Ready[] = [];
  for (const one of ready) {
    const { key, type } = one.prepared.draft;
    (type === 'core' || (key !== undefined && (!isFull || taken.has(key))) ? others : free).push(one);
    if (key !== undefined) taken.add(key);
  }
  const stored = await storePrepared(
    tx,
    context,
    free.map(({ prepared }) => prepared),
  );
  const results: Result[] = free.flatMap(({ found }, index) => {
    const one = stored[index];
    return one ? [{ found, stored: one }] : [];
  });
  for (const { found, prepared } of others) {
    const result = await attempt(tx, found, async (nested) => {
      const [one] = await storePrepared(nested, context, [prepared]);
      return one;
    });
    results.push(result);
  }
  return results;
}

/** Keys that a memory has already. Index memories_key. */
async function takenKeys(tx: Tx, { tenantId }: Context, ready: readonly Ready[]): Promise<Set<string>> {
  const keys = ready.flatMap(({ prepared }) => prepared.draft.key ?? []);
  if (keys.length === 0) return new Set();
  const found = await tx
    .select({ key: memories.key })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        isNull(memories.archivedAt),
        sql`${memories.key} = ANY(${texts(keys)})`,
      ),
    );
  return new Set(found.flatMap(({ key }) => key ?? []));
}

/** Gives memories the text their source has now; whatever else is said of them here stays. */
async function change(tx: Tx, context: Context, changed: readonly Changed[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of changed) {
    results.push(await attempt(tx, one.found, (nested) => changeText(nested, context, one)));
  }
  return results;
}

async function changeText(
  tx: Tx,
  context: Context,
  { memoryId, prepared: { draft, analysis }, comparison }: Changed,
): Promise<Stored> {
  const { content } = draft;
  const others = idsOfSuperseded(comparison);
  if (others.length > 0) await lockForReplacing(tx, context, [memoryId], others);
  const row = await findMemory(tx, context, memoryId, { lock: true });
  if (row.content === content) return { outcome: 'unchanged', memory: toMemory(row) };
  const fields = { ...fieldsOf(row), content };
  const entry = await context.changePolicy.submit(tx, context, row, { fields });
  if (entry) return { outcome: heldAs(entry), memory: toMemory(row), entry };
  const marked = { ...row, ...marksAfter(row, { fields }) };
  const wanted = toDraft({ ...row, content });
  const compareAnew = (inside: Tx) =>
    compareChanged(context, { draft: wanted, analysis }, memoryId, context.actor.source, inside);
  const compared = { before: row, comparison, compareAnew };
  const plan = await planReplacement(tx, context, marked, { compared });
  const { link } = plan;
  const changed = await changeMemory(tx, context, row, { change: 'updated', fields, analysis, link });
  await markReplaced(tx, context, changed, plan, context.actor.source);
  const stored = { outcome: 'updated' as const, memory: toMemory(changed) };
  await emitStored(tx, context, stored);
  return stored;
}

/** A savepoint, so that one that is refused leaves the others. */
async function attempt(
  tx: Tx,
  found: Found,
  work: (nested: Tx) => Promise<Stored | undefined>,
): Promise<Result> {
  try {
    const stored = await tx.transaction(work);
    return stored ? { found, stored } : { found };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { found, error: errorOf(found, error.code, error.message) };
  }
}
