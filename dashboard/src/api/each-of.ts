/** Calls that are under way at the same time. */
const AT_ONCE = 4;

/** Does some work for each item, a few at a time. Goes on after a failure, and rejects with the first one at the end. */
export async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const ended = await Promise.allSettled(items.slice(start, start + AT_ONCE).map(work));
    failures.push(...ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
}
