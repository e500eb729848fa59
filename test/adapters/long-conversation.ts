/** Turns of a long conversation. */
export const TURNS = 200;
/** Something told in passing before the first compaction. */
export const SAID = 'The vault code of the lighthouse is 7431-Kestrel.';
/** Something the agent remembers by a tool before the first compaction. */
export const REMEMBERED = 'Ines is allergic to walnuts.';
/** The arguments it does so with. */
export const FACT = { type: 'core', category: 'relationship', content: REMEMBERED };

const TOPICS = ['rain', 'bread', 'trains', 'paint', 'maps', 'wool', 'glass', 'salt', 'birds', 'rope'];

/** Something to talk about that no other turn says. */
export function chatter(turn: number): string {
  const topic = TOPICS[turn % TOPICS.length];
  return `Note ${turn} on ${topic}: ${`${topic} of kind ${turn * 7} were looked at, sorted and put away. `.repeat(3)}`;
}

/** What the user says in a turn: something to keep at the beginning, a question for it at the end. */
export function saidInTurn(turn: number): string {
  if (turn === 3) return SAID;
  if (turn === 5) return 'Remember that I, Ines, am allergic to walnuts.';
  if (turn === TURNS) return 'What is the vault code of the lighthouse?';
  return turn % 50 === 10 ? 'Go on.' : chatter(turn);
}
