/** The first place of a sorted list of which `isFrom` holds, as it does of all behind; the list's length where of none. */
export function firstPlace<Item>(sorted: readonly Item[], isFrom: (item: Item) => boolean): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isFrom(sorted[middle] as Item)) to = middle;
    else from = middle + 1;
  }
  return from;
}
