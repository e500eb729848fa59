/** Parsed JSON of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** A field's text; undefined where it is none or empty. */
export function textField(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/**
 * Reads JSON; undefined for what is none, or no object. Windows PowerShell puts a byte order mark before what it writes and pipes.
 */
export function parseFields(text: string | undefined): Fields | undefined {
  try {
    const value: unknown = JSON.parse((text ?? '').replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** A field's object; an empty one where it is none. */
export function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
