/** A value of a statement as the protocol takes it: text that the server reads by the type of the parameter. */
export function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') throw new TypeError('a statement takes texts, numbers and truth values');
  return String(value);
}
