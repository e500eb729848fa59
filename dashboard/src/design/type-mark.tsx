import type { fields } from '@svc-memory/core/contract';
import { categoryName, TYPE_NAMES } from './names.ts';
import classes from './type-mark.module.css';

/** The four types of memory, in the order of every list. */
export const TYPES = [
  'core',
  'working',
  'episodic',
  'semantic',
] as const satisfies readonly fields.MemoryType[];

/** Shows the type of a memory by its colour and its name. */
export function TypeMark({ type, category }: { type: fields.MemoryType; category?: string | null }) {
  return (
    <span className={classes.mark} data-type={type}>
      <span className={classes.dot} />
      {TYPE_NAMES[type]}
      {category && <span className={classes.category}>{categoryName(category)}</span>}
    </span>
  );
}
