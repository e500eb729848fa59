/** Milliseconds for which work may hold the event loop before others get a turn. */
const SLICE_MS = 15;
/** Milliseconds that what comes in may take before work that waits goes on. */
const INCOMING_MS = 100;
/** What a turn of the event loop takes that finds nothing to do is a third of this. */
const QUIET_MS = 0.1;

// One event loop a process, and so one state.
let turnBegan: number | undefined;
let resuming = false;
const waiting: (() => void)[] = [];

/**
 * Gives the event loop back once this turn of it has lasted for 15 ms; else goes on at once. Work that may be long calls
 * it between two pieces, each of which should take a few milliseconds. Awaiting a promise that is settled already, as
 * the embedded database's are, lets no other call in: only this does.
 *
 * Of all that wait, one goes on at a time, in the order in which they came.
 */
export function yieldToEventLoop(): Promise<void> | undefined {
  const now = performance.now();
  if (turnBegan === undefined) {
    turnBegan = now;
    setImmediate(() => {
      turnBegan = undefined;
    });
    return undefined;
  }
  if (now - turnBegan < SLICE_MS) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    void resume();
  });
}

async function resume(): Promise<void> {
  if (resuming) return;
  resuming = true;
  // Node takes one connection in each turn: of many that wait all come in before the work goes on.
  for (; waiting.length > 0; waiting.shift()?.()) await quietTurn(INCOMING_MS);
  resuming = false;
}

/**
 * Waits for a turn of the event loop that found nothing to do: the system has then no connection waiting to be taken and
 * nothing to read. A process that is too busy may have none for a while.
 *
 * @param withinMs Milliseconds after which it waits no longer.
 */
export async function quietTurn(withinMs: number): Promise<void> {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const until = performance.now() + withinMs;
  // To the end of this turn, from where on the next one is whole.
  await turn();
  for (let began = performance.now(); began < until; ) {
    await turn();
    const ended = performance.now();
    if (ended - began < QUIET_MS) return;
    began = ended;
  }
}

/** Maps items one after the other, in slices that let other work of the process in between. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
  signal?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    await yieldToEventLoop();
    signal?.throwIfAborted();
    results.push(work(item, index));
  }
  return results;
}
