import { and, eq, inArray, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import type { JobError } from '../jobs/contract.ts';
import type { Stored } from '../memory/contract.ts';
import { memories } from '../memory/schema.ts';
import { type Prepared, prepareMemories, storePrepared } from '../memory/store.ts';
import { importOrigins } from './schema.ts';
import { errorOf, settleOthers, type WriteBatch } from './tally.ts';
import { type Finding, type FoundMemory, settleDraft } from './walk.ts';

type Found = FoundMemory & Pick<Finding, 'path' | 'item'>;
interface Ready {
  readonly found: Found;
  readonly prepared: Prepared;
}

/** Prepares findings to be stored like any other memory: new ones, changes by key, and the Guardian's way. */
export async function prepareMemoryBatch(
  context: Context,
  findings: readonly Finding[],
): Promise<WriteBatch> {
  const { skipped, errors: broken } = settleOthers(findings);
  const { all, archived } = memoriesOf(findings);
  const known = await context.read((tx) => knownOrigins(tx, context, all));
  const fresh = withoutRepeats(all.filter(({ origin }) => !known.has(origin)));
  const { ready, errors: refused } = await prepare(context, fresh);
  return async (tx) => {
    // Looked at again under the lock: another import may have stored some of them meanwhile.
    const meanwhile = await knownOrigins(tx, context, fresh);
    const wanted = ready.filter(({ found }) => !meanwhile.has(found.origin));
    const { results, errors } = await store(tx, context, wanted);
    const stored = results.map(({ stored: one }) => one);
    const outcome = (name: Stored['outcome']) => stored.filter((one) => one.outcome === name).length;
    return {
      stored,
      tally: {
        created: outcome('created'),
        updated: outcome('updated'),
        unchanged: outcome('unchanged'),
        queued: outcome('queued'),
        duplicates: all.length - fresh.length + (ready.length - wanted.length),
        skipped: skipped + archived,
      },
      errors: [...broken, ...refused, ...errors],
    };
  };
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
      for (const one of settled) if (one.kind === 'memory') all.push({ ...one, path, item });
    }
  }
  return { all, archived };
}

function withoutRepeats(all: readonly Found[]): Found[] {
  const seen = new Set<string>();
  return all.filter(({ origin }) => {
    const isNew = !seen.has(origin);
    seen.add(origin);
    return isNew;
  });
}

/** Those imported before whose memory is there, or was archived by somebody; what an undo took back may come again. */
async function knownOrigins(
  tx: Tx,
  { tenantId }: Context,
  all: readonly Found[],
): Promise<ReadonlySet<string>> {
  if (all.length === 0) return new Set();
  const origins = all.map(({ origin }) => origin);
  const found = await tx
    .select({ origin: importOrigins.origin })
    .from(importOrigins)
    .innerJoin(memories, and(eq(memories.tenantId, tenantId), eq(memories.id, importOrigins.memoryId)))
    .where(
      and(
        eq(importOrigins.tenantId, tenantId),
        inArray(importOrigins.origin, origins),
        sql`NOT (${memories.archivedAt} IS NOT NULL AND ${memories.change} = 'undone')`,
      ),
    );
  return new Set(found.map(({ origin }) => origin));
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

interface Result {
  readonly found: Found;
  readonly stored: Stored;
}

async function store(tx: Tx, context: Context, ready: readonly Ready[]) {
  const results: Result[] = [];
  const errors: JobError[] = [];
  const keep = (some: readonly Ready[], stored: readonly Stored[]) => {
    for (const [index, { found }] of some.entries()) {
      const one = stored[index];
      if (one) results.push({ found, stored: one });
    }
  };
  // Without a key nothing can clash: all at once.
  const plain = ready.filter(({ prepared }) => prepared.draft.key === undefined);
  keep(
    plain,
    await storePrepared(
      tx,
      context,
      plain.map(({ prepared }) => prepared),
    ),
  );
  for (const item of ready.filter(({ prepared }) => prepared.draft.key !== undefined)) {
    try {
      // A savepoint, so that one that is refused leaves the others.
      keep([item], await tx.transaction((nested) => storePrepared(nested, context, [item.prepared])));
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      errors.push(errorOf(item.found, error.code, error.message));
    }
  }
  await keepOrigins(tx, context, results);
  return { results, errors };
}

async function keepOrigins(tx: Tx, { tenantId }: Context, results: readonly Result[]): Promise<void> {
  if (results.length === 0) return;
  await tx
    .insert(importOrigins)
    .values(
      results.map(({ found, stored }) => ({ tenantId, origin: found.origin, memoryId: stored.memory.id })),
    )
    .onConflictDoUpdate({
      target: [importOrigins.tenantId, importOrigins.origin],
      set: { memoryId: sql`excluded.memory_id` },
    });
}
