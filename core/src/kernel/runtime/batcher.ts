/** Items that go at once at most. */
const MOST = 200;

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Does one piece of work at a time for each key: what comes while one is under way waits, and then goes together. Nobody
 * waits where nothing is under way, and under load many calls cost one.
 *
 * @param work Answers each item, in order; what it throws is thrown to all of them.
 */
export function createBatcher<Item, Answer>(
  work: (key: string, items: readonly Item[]) => Promise<readonly Answer[]>,
): (key: string, item: Item) => Promise<Answer> {
  const queues = new Map<string, Waiting<Item, Answer>[]>();

  const run = async (key: string, queue: Waiting<Item, Answer>[]): Promise<void> => {
    for (let turn = queue.splice(0, MOST); turn.length > 0; turn = queue.splice(0, MOST)) {
      try {
        const answers = await work(
          key,
          turn.map(({ item }) => item),
        );
        for (const [place, { resolve }] of turn.entries()) resolve(answers[place] as Answer);
      } catch (error) {
        for (const { reject } of turn) reject(error);
      }
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
