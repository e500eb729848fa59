/** A stretch of a text: what can be read, or the code point of a character that would not be seen. */
export type Stretch = string | { readonly code: string };

// Controls, and the marks that turn the direction of what follows: they could make a text look like another one.
const UNSEEN = /((?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069])/u;

/** Cuts a text at the characters that hide or turn it, so that they can be shown as what they are. */
export function stretches(text: string): Stretch[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(UNSEEN)
    .filter((part) => part !== '')
    .map((part) =>
      UNSEEN.test(part)
        ? { code: `U+${(part.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}` }
        : part,
    );
}

/** The first `length` characters, never half of one. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/u, '')
    .trimEnd();
}
