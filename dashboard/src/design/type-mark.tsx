import type { fields } from '@svc-memory/core/contract';
import classes from './type-mark.module.css';

export type MemoryType = fields.MemoryType;

/** The four types of memory, in the order of every list. */
export const TYPES = ['core', 'working', 'episodic', 'semantic'] as const satisfies readonly MemoryType[];

/** What each type holds, for people. */
export const TYPE_MEANS: Readonly<Record<MemoryType, string>> = {
  core: 'Who it is',
  working: 'On its mind',
  episodic: 'What happened',
  semantic: 'What it knows',
};

/** The type of a memory: its colour and its name. */
export function TypeMark({ type, category }: { type: MemoryType; category?: string | null }) {
  return (
    <span className={classes.mark} data-type={type}>
      <span className={classes.dot} />
      {type}
      {category && <span className={classes.category}>{category}</span>}
    </span>
  );
}
