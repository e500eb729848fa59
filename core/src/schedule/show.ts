import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { levelOf, REDACTED } from '../visibility/conceal.ts';
import { loadVisibility } from '../visibility/settings.ts';

/** What the schedule and the works in progress have in common. */
interface Item {
  readonly title: string;
  readonly note: string | null;
}

/** Items as the caller may see them: for a human, what the agent withholds of its working memory is withheld here too. */
export async function showItems<T extends Item>(
  tx: Tx,
  { actor, tenantId }: Pick<Context, 'actor' | 'tenantId'>,
  items: readonly T[],
): Promise<T[]> {
  if (actor.source !== 'human') return [...items];
  const level = levelOf(await loadVisibility(tx, tenantId), { type: 'working' });
  if (level === 'hidden') return [];
  return level === 'full' ? [...items] : items.map((item) => ({ ...item, title: REDACTED, note: null }));
}

/**
 * The same for one item.
 *
 * @throws SvcError `NOT_FOUND` where there is none, or none the caller may see.
 */
export async function showItem<T extends Item>(
  tx: Tx,
  context: Pick<Context, 'actor' | 'tenantId'>,
  item: T | undefined,
): Promise<T> {
  const [shown] = item ? await showItems(tx, context, [item]) : [];
  if (!shown) throw new SvcError('NOT_FOUND', 'There is no item with this id.');
  return shown;
}
