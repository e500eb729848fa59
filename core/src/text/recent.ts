/**
 * Keeps the results of a pure function of a text for the texts that were asked for last: between `most` and twice as many. A hit costs
 * one look-up, which matters where a memory's every word is one.
 */
export function keepRecent<Result>(most: number, work: (text: string) => Result): (text: string) => Result {
  let young = new Map<string, Result>();
  let old = new Map<string, Result>();
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const result = old.get(text) ?? work(text);
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(text, result);
    return result;
  };
}
