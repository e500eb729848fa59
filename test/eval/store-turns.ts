import type { AgentMemory } from '@svc-memory/core';
import type { Turn } from './dataset.ts';

const BATCH = 500;

/** Stores a conversation, a memory a turn; answers which memory is which turn. */
export async function storeTurns(
  memory: Pick<AgentMemory, 'rememberBatch'>,
  turns: readonly Turn[],
): Promise<ReadonlyMap<string, string>> {
  const turnOf = new Map<string, string>();
  const drafts = turns.map(({ memory }) => memory);
  for (let start = 0; start < drafts.length; start += BATCH) {
    const { memories } = await memory.rememberBatch({ memories: drafts.slice(start, start + BATCH) });
    memories.forEach(({ id }, index) => {
      turnOf.set(id, turns[start + index]?.id ?? '');
    });
  }
  return turnOf;
}
