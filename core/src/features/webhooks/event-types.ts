import type { Context } from '../../kernel/context/context.ts';
import { type FieldIssue, SvcError } from '../../kernel/contract/errors.ts';

/** Type of the event that `POST /event-endpoints/{id}/test` sends to that endpoint only. */
export const TEST_EVENT = 'endpoint.test';

/**
 * The filters that an endpoint asks for, each once: `*`, a group such as `guardian.*`, or a type of events.
 *
 * @throws SvcError `VALIDATION_ERROR` that names every filter that no event matches.
 */
export function uniqueFilters(
  { eventTypes }: Pick<Context, 'eventTypes'>,
  filters: readonly string[],
): string[] {
  const types = [...eventTypes];
  const known = new Set(['*', ...types, ...types.map(groupOf)]);
  const message = `must be "*", a group such as "guardian.*", or one of ${types.join(', ')}`;
  const details = filters.flatMap((filter, place): FieldIssue[] =>
    known.has(filter) ? [] : [{ path: `events.${place}`, message }],
  );
  if (details.length > 0) {
    const named = details.map(({ path }) => path).join(', ');
    throw new SvcError('VALIDATION_ERROR', `${named}: ${message}`, { details });
  }
  return [...new Set(filters)];
}

function groupOf(type: string): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}
