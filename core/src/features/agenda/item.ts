import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { VisibilityLevel } from '../visibility/contract.ts';
import { levelOf, REDACTED } from '../visibility/level.ts';
import { type Reader, viewOf } from '../visibility/view.ts';

/** What the schedule and the works in progress have in common. */
interface Item {
  readonly title: string;
  readonly note: string | null;
}

/** A stored item as far as both kinds are the same. */
interface ItemRow extends Item {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly source: Source;
  readonly credentialId: string | null;
}

/** What a row is made with by whoever adds an item, beside its own words. */
export function newItem({ tenantId, ids, actor, now }: Context) {
  return {
    tenantId,
    id: ids(),
    createdAt: now,
    updatedAt: now,
    source: actor.source,
    credentialId: actor.credentialId,
  };
}

/**
 * A stored item as answers show it.
 *
 * @param own The fields that its kind alone has.
 */
export function toAgendaItem<Own extends object>(row: ItemRow, own: Own) {
  return {
    id: row.id,
    title: row.title,
    note: row.note,
    ...own,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    source: { kind: row.source, credential_id: row.credentialId },
  };
}

/** What the caller sees of items: for a human, what the agent withholds of its working memory is withheld here too. */
export async function itemLevel(tx: Tx, reader: Reader): Promise<VisibilityLevel> {
  return levelOf((await viewOf(tx, reader)).rules.own, { type: 'working' });
}

/** Items as the caller may see them. */
export async function showItems<T extends Item>(tx: Tx, reader: Reader, items: readonly T[]): Promise<T[]> {
  const level = await itemLevel(tx, reader);
  if (level === 'hidden') return [];
  return level === 'full' ? [...items] : items.map(redactItem);
}

/**
 * The same for one item.
 *
 * @throws SvcError `NOT_FOUND` where there is none, or none the caller may see.
 */
export async function showItem<T extends Item>(tx: Tx, reader: Reader, item: T | undefined): Promise<T> {
  const [shown] = item ? await showItems(tx, reader, [item]) : [];
  if (!shown) throw new SvcError('NOT_FOUND', 'There is no item with this id.');
  return shown;
}

/** An item that the caller has just made: they know that it is there. */
export async function showCreated<T extends Item>(tx: Tx, reader: Reader, item: T | undefined): Promise<T> {
  if (!item) throw new TypeError('an insert returns its row');
  return (await itemLevel(tx, reader)) === 'full' ? item : redactItem(item);
}

/**
 * Refuses to overwrite words that the caller does not see.
 *
 * @throws SvcError `FORBIDDEN` naming the fields.
 */
export async function refuseUnseenWords(
  tx: Tx,
  reader: Reader,
  changes: { readonly title?: unknown; readonly note?: unknown },
): Promise<void> {
  if ((await itemLevel(tx, reader)) !== 'redacted') return;
  const named = (['title', 'note'] as const).filter((name) => changes[name] !== undefined);
  if (named.length === 0) return;
  throw new SvcError('FORBIDDEN', `${named.join(', ')}: the agent withholds these words from you.`, {
    details: named.map((path) => ({ path, message: 'is withheld by the agent' })),
  });
}

function redactItem<T extends Item>(item: T): T {
  return { ...item, title: REDACTED, note: null };
}
