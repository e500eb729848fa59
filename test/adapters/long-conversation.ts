import type { AgentMemory } from '@svc-memory/core';

/** Turns of a long conversation. */
export const TURNS = 200;
/** Something told in passing before the first compaction. */
export const SAID = 'The vault code of the lighthouse is 7431-Kestrel.';
/** Something the agent remembers by a tool before the first compaction. */
export const REMEMBERED = 'Ines is allergic to walnuts.';
/** The arguments it does so with. */
export const FACT = { type: 'core', category: 'relationship', content: REMEMBERED };
/** A busy machine is no absent service. */
export const PATIENT = { timeoutMs: 60_000 };

const TOPICS = ['rain', 'bread', 'trains', 'paint', 'maps', 'wool', 'glass', 'salt', 'birds', 'rope'];

/** Something to talk about that no other turn says. */
export function chatter(turn: number): string {
  const topic = TOPICS[turn % TOPICS.length];
  return `Note ${turn} on ${topic}: ${`${topic} of kind ${turn * 7} were looked at, sorted and put away. `.repeat(3)}`;
}

/** Every memory of the agent that came from the conversation, in the order of time. */
export async function turnsKept(memory: AgentMemory): Promise<string[]> {
  const contents: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await memory.query({ type: 'episodic', limit: 100, ...(cursor ? { cursor } : {}) });
    contents.push(...page.memories.map(({ content }) => content));
    cursor = page.next_cursor;
  } while (cursor);
  return contents.reverse();
}
