import type { MemoryType } from '../../kernel/contract/fields.ts';
import type { Section } from './section.ts';

/** The sections that a user has beside the agent's own, in their order. Who the agent is, it is for all of them. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['semantic', 'What you know of this user'],
  ['working', 'Working memory of this user'],
  ['upcoming', 'Upcoming with this user'],
  ['conversation', 'This session so far'],
  ['episodic', 'Recent episodes with this user'],
]);
/** What a section of the user is worth beside the agent's own of the kind: it is what the session is about. */
const WEIGHT = 2;

type Counts = Readonly<Record<MemoryType, number>>;

/** Puts the sections of a user behind those that say who the agent is. Their names begin with `user_`. */
export function withUserSections(own: readonly Section[], ofUser: readonly Section[]): readonly Section[] {
  const added = [...TITLES].flatMap(([name, title]) => {
    const section = ofUser.find((one) => one.name === name);
    if (!section || section.entries.length === 0) return [];
    return [{ ...section, name: `user_${name}`, title, weight: WEIGHT * (section.weight ?? 1) }];
  });
  const place = own.findIndex(({ name }) => name === 'working');
  return place < 0 ? [...own, ...added] : own.toSpliced(place, 0, ...added);
}

export function addCounts(one: Counts, other: Counts): Record<MemoryType, number> {
  return {
    core: one.core + other.core,
    working: one.working + other.working,
    episodic: one.episodic + other.episodic,
    semantic: one.semantic + other.semantic,
  };
}
