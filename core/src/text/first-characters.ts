/** The first `most` characters of a text: code points, so that none is cut in half. */
export function firstCharacters(text: string, most: number): string {
  // No character has more than two code units.
  return text.length <= most
    ? text
    : Array.from(text.slice(0, 2 * most))
        .slice(0, most)
        .join('');
}
