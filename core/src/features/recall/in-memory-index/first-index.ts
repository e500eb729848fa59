/** The first of so many sorted slots of which `isFrom` holds, as it does of all behind; their count where of none. */
export function firstIndex(count: number, isFrom: (slot: number) => boolean): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isFrom(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
