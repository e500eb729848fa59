import type { fields } from '@svc-memory/core/contract';
import classes from './type-mark.module.css';

/** The four types of memory, in the order of every list. */
export const TYPES = [
  'core',
  'working',
  'episodic',
  'semantic',
] as const satisfies readonly fields.MemoryType[];

/** What each type holds, in the words of a human. */
export const TYPE_MEANS: Readonly<Record<fields.MemoryType, string>> = {
  core: 'Who it is',
  working: 'On its mind',
  episodic: 'What happened',
  semantic: 'What it knows',
};

/** Shows the type of a memory by its colour and its name. */
export function TypeMark({ type, category }: { type: fields.MemoryType; category?: string | null }) {
  return (
    <span className={classes.mark} data-type={type}>
      <span className={classes.dot} />
      {type}
      {category && <span className={classes.category}>{category}</span>}
    </span>
  );
}
