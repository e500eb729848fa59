import type { Context } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { MemoryFields } from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';
import { ALWAYS_PROTECTED, type GuardianSettings } from './contract.ts';
import { decides } from './decision.ts';
import { loadGuardianSettings } from './settings.ts';

/** Whether a memory is core and of a protected category. */
export function isProtected(
  { type, category }: Pick<MemoryFields, 'type' | 'category'>,
  { categories }: GuardianSettings,
): boolean {
  return type === 'core' && category !== null && categories.includes(category);
}

/** Whether memories of this category are never deleted, whatever their type. */
export function isUndeletable({ category }: Pick<MemoryFields, 'category'>): boolean {
  return ALWAYS_PROTECTED.some((always) => always === category);
}

/**
 * Whether a change to a memory has to be decided: it is protected, would lose the category that keeps it, or would join
 * the protected ones, which only the human may do.
 *
 * @param source Whose words the change brings; default: the caller's own.
 */
export function isGuarded(
  context: Pick<Context, 'actor' | 'space'>,
  row: MemoryRow,
  fields: MemoryFields | null,
  settings: GuardianSettings,
  source?: Source,
): boolean {
  const unlocks = isUndeletable(row) && fields !== null && fields.category !== row.category;
  const joins = fields !== null && isProtected(fields, settings) && !decides(context, source);
  return isProtected(row, settings) || unlocks || joins;
}

/** The settings, where they can matter to a change; of most memories they do not, which saves the query. */
export async function settingsFor(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  fields: MemoryFields | null,
): Promise<GuardianSettings | undefined> {
  const matters = row.type === 'core' || fields?.type === 'core' || isUndeletable(row);
  return matters ? loadGuardianSettings(tx, context) : undefined;
}
