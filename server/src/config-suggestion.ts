/** The name among `names` that differs from `name` by at most two letters or a third of them, if there is one. */
export function closest(name: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((other) => ({ other, steps: distance(name, other) }))
    .sort((left, right) => left.steps - right.steps);
  const best = ranked[0];
  return best && best.steps <= Math.max(2, Math.floor((name.length - 'SVC_'.length) / 3))
    ? best.other
    : undefined;
}

/** Levenshtein distance, by one row at a time. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...left].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...right].entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
