import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { MemoryRow } from '../records/schema.ts';
import { refuseUnseenKeys } from './keys.ts';
import { levelsOf, type Reader, viewOf } from './view.ts';

/** What a caller who cannot read a memory must not change: rules hang on it, or it overwrites what is not seen. */
const UNCHANGEABLE = [
  ...['content', 'type', 'category', 'tags', 'key'],
  ...['metadata', 'valid_from', 'valid_to', 'expires_at', 'supersedes', 'superseded_by'],
] as const;

/** Whether a caller may read a memory they know of. */
export async function mayRead(tx: Tx, context: Reader, id: string): Promise<boolean> {
  const view = await viewOf(tx, context);
  const level = await levelsOf(tx, { tenantId: context.tenantId, view }, [id]);
  return level(id) === 'full';
}

/**
 * Refuses changes to a memory that its caller must not make: of a redacted one to anything a rule may hang on, or
 * to a content they do not see; of any to a key that may be taken by a withheld one.
 *
 * @returns whether the caller may read the memory.
 * @throws SvcError `FORBIDDEN` naming the fields.
 */
export async function refuseUnseenChange(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  changes: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (await mayRead(tx, context, row.id)) {
    const { key } = changes;
    if (typeof key === 'string' && key !== row.key) {
      await refuseUnseenKeys(tx, context, [{ path: 'key', key }]);
    }
    return true;
  }
  const named: string[] = UNCHANGEABLE.filter((name) => changes[name] !== undefined);
  if (context.options.ifMatch !== undefined) named.push('If-Match');
  if (named.length === 0) return false;
  throw new SvcError(
    'FORBIDDEN',
    `${named.join(', ')}: the agent shows you only type and dates of this memory, so you cannot change or check what you do not see. importance and occurred_at may change.`,
    { details: named.map((path) => ({ path, message: 'is withheld by the agent' })) },
  );
}

/**
 * Refuses to bring a memory back under a key of which the caller cannot see whether it is free.
 *
 * @throws SvcError `FORBIDDEN`.
 */
export async function refuseUnseenRevival(tx: Tx, context: Context, { id, key }: MemoryRow): Promise<void> {
  // Of a redacted memory the caller does not know the key, so a conflict tells nothing of another's.
  if (key === null || !(await mayRead(tx, context, id))) return;
  await refuseUnseenKeys(tx, context, [{ path: 'key', key }]);
}
