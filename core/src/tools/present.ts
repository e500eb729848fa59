import { makeVisible, SPEAKER_MARK } from '../boot/visible.ts';

// Characters that are not displayed, or that reorder what is. In JSON they occur only inside of strings, where an
// escape means exactly the same.
const HIDDEN =
  /[\u007F-\u009F\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\uFFF9-\uFFFB\u2800]/gu;

/**
 * An answer as JSON text that holds stored text exactly and inertly: line breaks, hidden characters and what passes for
 * a host's own markup are written as escapes.
 */
export function toInertJson(value: object): string {
  return JSON.stringify(value).replace(HIDDEN, escapeUnits).replace(SPEAKER_MARK, escapeUnits);
}

/** An answer whose texts show by name what hides in them, for hosts that print structured results as they are. */
export function makeAnswerVisible(value: unknown): unknown {
  if (typeof value === 'string') return makeTextVisible(value);
  if (Array.isArray(value)) return value.map(makeAnswerVisible);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [makeTextVisible(name), makeAnswerVisible(part)]),
  );
}

function makeTextVisible(text: string): string {
  return text
    .split(/\r\n|[\n\u2028\u2029]/)
    .map(makeVisible)
    .join('\n');
}

function escapeUnits(match: string): string {
  return [...match.split('')]
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
