import { invalid, SvcError } from '../contract/errors.ts';
import type { Context, Operation } from '../engine/context.ts';
import { guard, refuseWhilePending } from '../guardian/gate.ts';
import { analyzeContents } from '../recall/index-memories.ts';
import { changeMemory } from './change.ts';
import type { MemoryChanges } from './contract.ts';
import { findMemory } from './find.ts';
import { fieldsOf, type MemoryFields, sameFields, toMemory } from './row.ts';
import { announceStored, emitStored } from './store.ts';

/** Changes fields of one memory; protected ones go through the Guardian. Spec: PATCH /memories/{id}; States. */
export const update: Operation<'update'> = async (context, { id, ...changes }) => {
  const asked = await consultPlugins(context, id, toFields(changes));
  const [analysis] = asked.content === undefined ? [] : await analyzeContents(context, [asked.content]);
  const result = await context.write(async (tx) => {
    const row = await findMemory(tx, context, id, { lock: true });
    requireVersion(context, row.version);
    const fields = { ...fieldsOf(row), ...asked };
    if (fields.type === 'core' && fields.category === null) {
      throw invalid('category', 'is required when type is core');
    }
    await refuseWhilePending(tx, context, row);
    if (sameFields(fieldsOf(row), fields)) return { outcome: 'unchanged' as const, memory: toMemory(row) };
    const entry = await guard(tx, context, row, { fields, ...(analysis ? { analysis } : {}) });
    if (entry) return { outcome: 'queued' as const, memory: toMemory(row), entry };
    const changed = await changeMemory(tx, context, row, {
      change: 'updated',
      fields,
      ...(analysis && fields.content !== row.content ? { analysis } : {}),
    });
    const stored = { outcome: 'updated' as const, memory: toMemory(changed) };
    await emitStored(tx, context, stored);
    return stored;
  });
  if (result.outcome === 'updated') await announceStored(context, [result]);
  return result;
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
  };
  const decided = await context.plugins.change('memory:beforeStore', draft, context);
  return decided === draft ? asked : { ...asked, ...toFields(decided) };
}

function toFields(changes: MemoryChanges): Partial<MemoryFields> {
  const { occurred_at, ...others } = changes;
  const fields = { ...others, ...(occurred_at === undefined ? {} : { occurredAt: occurred_at }) };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function requireVersion({ options }: Context, version: number): void {
  if (options.ifMatch !== undefined && options.ifMatch !== version) {
    throw new SvcError('CONFLICT', `The memory is at version ${version}, not ${options.ifMatch}.`, {
      details: { version },
    });
  }
}
