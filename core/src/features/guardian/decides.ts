import type { Context } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';

/**
 * Whether what somebody wants is decided by that: what the human wants of an agent's protected memories, and what the human of the
 * account or a manager wants of those of a space.
 *
 * @param source Who wants it; default: the caller. What comes by another way, such as an import, nobody has decided.
 */
export function decides(
  { actor, space }: Pick<Context, 'actor' | 'space'>,
  source: Source = actor.source,
): boolean {
  if (source === 'human') return true;
  return space?.right === 'manage' && source === actor.source;
}
