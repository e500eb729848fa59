const MOST = 200;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Batches items by key. One batch of a key is worked on at a time: an item that comes meanwhile joins the next one. So nobody waits
 * where nothing is under way, and under load many items cost one piece of work.
 *
 * @param work Returns an answer for each item, in order; what it throws is thrown to all of the batch.
 * @param gather Waited for before a batch of items that came during another one, so that more join it. Default: none.
 */
export function createBatcher<Item, Answer>(
  work: (key: string, items: readonly Item[]) => Promise<readonly Answer[]>,
  gather?: () => Promise<void>,
): (key: string, item: Item) => Promise<Answer> {
  const queues = new Map<string, Waiting<Item, Answer>[]>();

  const run = async (key: string, queue: Waiting<Item, Answer>[]): Promise<void> => {
    for (let batch = queue.splice(0, MOST); batch.length > 0; batch = queue.splice(0, MOST)) {
      try {
        const answers = await work(
          key,
          batch.map(({ item }) => item),
        );
        for (const [place, { resolve }] of batch.entries()) resolve(answers[place] as Answer);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      if (gather && queue.length > 0) await gather();
    }
    queues.delete(key);
  };

  return (key, item) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key);
      const waiting = { item, resolve, reject };
      if (queue) {
        queue.push(waiting);
        return;
      }
      const own = [waiting];
      queues.set(key, own);
      void run(key, own);
    });
}
