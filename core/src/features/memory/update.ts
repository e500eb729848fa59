import type { Context, Operation } from '../../kernel/context/context.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import { fieldsOf, type MemoryFields, sameFields, toMemory } from '../records/row.ts';
import { toIndexEntries } from '../search-index/index-memories.ts';
import { showStored } from '../visibility/show.ts';
import { refuseUnseenChange } from '../visibility/withheld.ts';
import { changeMemory } from './change.ts';
import type { MemoryChanges, memoryRoutes } from './contract.ts';
import { findMemory } from './find.ts';
import { emitStored, notifyStored } from './store.ts';
import { lockReplaced, markSuperseded, NAMED } from './supersede.ts';
import { requireTimes } from './times.ts';

/** Changes fields of one memory; protected ones go through the Guardian. */
export const update: Operation<typeof memoryRoutes.update> = async (
  context,
  { id, supersedes, superseded_by, ...changes },
) => {
  const { changePolicy } = context;
  const asked = await consultPlugins(context, id, toFields(changes));
  const [analysis] = asked.content === undefined ? [] : await toIndexEntries(context, [asked.content]);
  const result = await context.write(async (tx) => {
    const row = await findMemory(tx, context, id, { lock: true });
    const isRead = await refuseUnseenChange(tx, context, row, changes);
    requireVersion(context, row.version);
    const fields = { ...fieldsOf(row), ...asked };
    requireTimes(fields, { now: context.now, before: row });
    if (fields.type === 'core' && fields.category === null) {
      throw invalid('category', 'is required when type is core');
    }
    // That nothing changes would tell what cannot be read.
    const freed = superseded_by === null && row.supersededBy !== null;
    if (isRead && sameFields(fieldsOf(row), fields) && !freed && !supersedes) {
      await changePolicy.refuseWhilePending(tx, context, row);
      return { outcome: 'unchanged' as const, memory: toMemory(row) };
    }
    const replaced = supersedes ? await lockReplaced(tx, context, row, supersedes) : [];
    const entry = await changePolicy.submit(tx, context, row, { fields });
    if (entry) return { outcome: 'queued' as const, memory: toMemory(row), entry };
    const changed = await changeMemory(tx, context, row, {
      change: 'updated',
      fields,
      ...(analysis && fields.content !== row.content ? { analysis } : {}),
      ...(freed ? { supersededBy: null } : {}),
    });
    await markSuperseded(
      tx,
      context,
      replaced.map((older) => ({ older, newer: changed })),
      context.actor.source,
    );
    const superseded = replaced.map(({ id, content }) => ({ id, content, reason: NAMED }));
    const memory = toMemory(changed);
    const stored = { outcome: 'updated' as const, memory, ...(supersedes ? { superseded } : {}) };
    await emitStored(tx, context, stored);
    return stored;
  });
  if (result.outcome === 'updated') await notifyStored(context, [result]);
  return showStored(context, result);
};

/** Lets plugins see the whole memory as it would become; what they change joins the asked changes. */
async function consultPlugins(context: Context, id: string, asked: Partial<MemoryFields>) {
  const row = await context.read((tx) => findMemory(tx, context, id));
  const wanted = { ...fieldsOf(row), ...asked };
  const draft = {
    type: wanted.type,
    content: wanted.content,
    category: wanted.category ?? undefined,
    key: wanted.key ?? undefined,
    tags: wanted.tags,
    importance: wanted.importance,
    occurred_at: wanted.occurredAt,
    valid_from: wanted.validFrom ?? undefined,
    valid_to: wanted.validTo,
    expires_at: wanted.expiresAt,
    metadata: wanted.metadata ?? undefined,
  };
  const decided = await context.hooks.run('memory:beforeStore', draft, context);
  return decided === draft ? asked : { ...asked, ...toFields(decided) };
}

function toFields(changes: MemoryChanges): Partial<MemoryFields> {
  const { occurred_at, valid_from, valid_to, expires_at, ...others } = changes;
  const fields = {
    ...others,
    occurredAt: occurred_at,
    validFrom: valid_from,
    validTo: valid_to,
    expiresAt: expires_at,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function requireVersion({ options }: Context, version: number): void {
  if (options.ifMatch !== undefined && options.ifMatch !== version) {
    throw new SvcError('CONFLICT', `The memory is at version ${version}, not ${options.ifMatch}.`, {
      details: { version },
    });
  }
}
