/**
 * Waits for statements that were sent one after the other. When one fails, the later ones fail with it, in any order; this
 * throws the error of the first.
 */
export async function awaitInOrder<Answers extends readonly unknown[]>(
  sent: {
    readonly [Place in keyof Answers]: Promise<Answers[Place]>;
  },
): Promise<Answers> {
  const settled = await Promise.allSettled(sent as readonly Promise<unknown>[]);
  const answers = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  return answers as unknown as Answers;
}
