import { makeVisible } from '../../text/visible.ts';

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
