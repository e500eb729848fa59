import { SvcError } from '../contract/errors.ts';
import type { Context } from '../engine/context.ts';

/**
 * Refuses everyone but the human, also in-process, where no server stands before the engine. Design 7.
 *
 * @throws SvcError `FORBIDDEN`.
 */
export function requireHuman({ actor }: Pick<Context, 'actor'>): void {
  if (actor.source === 'human') return;
  throw new SvcError('FORBIDDEN', 'Only the human may decide this, signed in to the dashboard.');
}
