/** A value of a statement as the protocol takes it: text that the server reads by the type of the parameter, or its binary form. */
export type Bound = string | Buffer | null;

/** @throws TypeError for any other object: it would be sent as its name. */
export function bind(value: unknown): Bound {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value;
  if (typeof value === 'object')
    throw new TypeError('a statement takes texts, numbers, truth values and bytes');
  return String(value);
}
