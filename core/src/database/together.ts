/**
 * Waits for statements that were sent one behind the other, in that order. Those behind a failed one fail with it, and which
 * is heard first is chance: thrown is the failure of the first.
 */
export async function together<Answers extends readonly unknown[]>(
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
