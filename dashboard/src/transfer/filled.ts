/** The fields that a human filled in. */
export function filled<Names extends string>(fields: Record<Names, string>): Partial<Record<Names, string>> {
  const entries = Object.entries<string>(fields)
    .map(([name, value]) => [name, value.trim()])
    .filter(([, value]) => value !== '');
  return Object.fromEntries(entries);
}
