/** Empties each cache of this process that `keepRecent` made. */
const empties: (() => void)[] = [];
/** What was not asked for since then is dropped: other processes do not hear what one of them erases. */
const KEPT_MS = 10 * 60_000;

/**
 * Keeps the results of a pure function of a text for the texts that were asked for last: between `most` and twice as many, for at
 * most ten minutes. A hit costs one look-up, which matters where a memory's every word is one.
 */
export function keepRecent<Result>(most: number, work: (text: string) => Result): (text: string) => Result {
  let young = new Map<string, Result>();
  let old = new Map<string, Result>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const empty = () => {
    clearTimeout(timer);
    timer = undefined;
    young = new Map();
    old = new Map();
  };
  empties.push(empty);
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const result = old.get(text) ?? work(text);
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(text, result);
    if (timer === undefined) {
      timer = setTimeout(empty, KEPT_MS);
      // A browser's timer is a number, and keeps nothing alive.
      (timer as { unref?: () => void }).unref?.();
    }
    return result;
  };
}

/** Drops all texts that this process keeps so, as when some of them are erased for good. */
export function forgetRecent(): void {
  for (const empty of empties) empty();
}
