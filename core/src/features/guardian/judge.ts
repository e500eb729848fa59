import { isDeepStrictEqual } from 'node:util';
import { hasUnseen } from '../../text/unseen.ts';
import type { MemoryFields } from '../records/row.ts';
import { type Comparison, compareMeaning } from './meaning/compare.ts';
import { type Concern, concern } from './meaning/concerns.ts';

const TOTAL = 1;

/**
 * Judges a change to a protected memory: whether it can change who the agent is said to be, and why.
 *
 * @param before The memory as it is; null where it is new among the protected ones.
 * @param after The memory as it would become; null: archived.
 * @param baseline What the human last approved it to say, or what it said at first. Small steps add up against it.
 */
export function judgeChange(
  before: MemoryFields | null,
  after: MemoryFields | null,
  baseline: string | undefined,
): Comparison {
  if (!after) return only(concern('the memory was to be removed', TOTAL));
  if (!before) return addition(after);
  const fields = fieldConcerns(before, after);
  const content = compareMeaning(baseline ?? before.content, after.content);
  const concerns = [...fields, ...content.concerns].sort((one, other) => other.weight - one.weight);
  return { concerns, drift: Math.max(content.drift, ...concerns.map(({ weight }) => weight), 0) };
}

function addition({ expiresAt }: MemoryFields): Comparison {
  const added = concern('a memory was added to a protected category', TOTAL);
  // Gone by the time somebody looks, it would leave nothing to see.
  return expiresAt
    ? { concerns: [added, concern('it would expire by itself', TOTAL)], drift: TOTAL }
    : only(added);
}

function only(one: Concern): Comparison {
  return { concerns: [one], drift: one.weight };
}

/** Tags say nothing of who the agent is; the other fields may, and what is of no importance stands in no boot that is full. */
function fieldConcerns(before: MemoryFields, after: MemoryFields): Concern[] {
  const moves = before.type !== after.type || before.category !== after.category;
  return [
    ...(moves ? [concern('its type or category was changed', TOTAL)] : []),
    ...(before.key === after.key ? [] : [concern('its key was changed', 0.3)]),
    ...(before.occurredAt.getTime() === after.occurredAt.getTime()
      ? []
      : [concern('its date was changed', 0.3)]),
    ...(before.importance === after.importance ? [] : [concern('its importance was changed', 0.3)]),
    ...(holdsAlike(before, after) ? [] : [concern('when it holds or expires was changed', TOTAL)]),
    ...(isDeepStrictEqual(before.metadata ?? null, after.metadata ?? null)
      ? []
      : [concern('its metadata was changed', TOTAL)]),
    ...(after.tags.some(hasUnseen) ? [concern('a tag holds characters that cannot be seen', TOTAL)] : []),
  ];
}

function holdsAlike(one: MemoryFields, other: MemoryFields): boolean {
  const times = ({ validFrom, validTo, expiresAt }: MemoryFields) => [validFrom, validTo, expiresAt];
  return isDeepStrictEqual(times(one), times(other));
}
