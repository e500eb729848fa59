import type { AgentMemory, Input } from '@svc-memory/core/contract';
import { questionsOf, type SyntheticMemory } from '../corpus.ts';

type Recall = Input<'recall'>;

/** A way to narrow a recall, and which memories pass. */
export interface Narrowing {
  readonly filter: Partial<Recall>;
  passes(memory: SyntheticMemory): boolean;
}

/** Ways to narrow recalls of some memories, the first of which does not. */
export function narrowingsOf(memories: readonly SyntheticMemory[]): readonly Narrowing[] {
  const middle = memories[Math.floor(memories.length / 2)]?.occurred_at ?? '';
  const session = memories.find(({ session_id }) => session_id !== undefined)?.session_id ?? '';
  return [
    { filter: {}, passes: () => true },
    { filter: { types: ['semantic'] }, passes: ({ type }) => type === 'semantic' },
    { filter: { types: ['working', 'episodic'] }, passes: ({ type }) => type !== 'semantic' },
    { filter: { since: middle }, passes: ({ occurred_at }) => occurred_at >= middle },
    { filter: { until: middle }, passes: ({ occurred_at }) => occurred_at <= middle },
    { filter: { session_id: session }, passes: ({ session_id }) => session_id === session },
  ];
}

/** What an agent is answered to so many questions, narrowed in every way and by either threshold, each as one text. */
export async function answersOf(
  agent: AgentMemory,
  narrowings: readonly Narrowing[],
  questions: number,
): Promise<string[]> {
  const answers: string[] = [];
  for (const [place, query] of questionsOf(questions).entries()) {
    const { filter } = narrowings[place % narrowings.length] ?? { filter: {} };
    const all = place % (2 * narrowings.length) < narrowings.length;
    const { results } = await agent.recall({ query, ...filter, ...(all ? { threshold: 0 } : {}) });
    // Without their similarity: the process, once it holds the memories, and the database round it differently.
    answers.push(JSON.stringify(results.map(({ similarity: _, ...rest }) => rest)));
  }
  return answers;
}

/** Share of answers that are the very same, in contents and order. */
export function shareOfSame(before: readonly string[], after: readonly string[]): number {
  return before.filter((answer, place) => answer === after[place]).length / before.length;
}
