import { t } from '@lingui/core/macro';
import { serviceNow } from '../api/clock.ts';
import { When } from '../design/when.tsx';
import classes from './agenda.module.css';
import { type DueItem, dueTime, isOverdue } from './agenda-data.ts';

/** Says when something is due, and whether it is overdue. A day that has begun is today until it ends. */
export function DueTime({ item }: { item: DueItem }) {
  const overdue = isOverdue(item);
  const hasBegun = Date.parse(dueTime(item)) <= serviceNow();
  if (item.whole_day && hasBegun && !overdue) return t`today`;
  return (
    <span className={classes.due} data-overdue={overdue}>
      {overdue && t`overdue, `}
      <When at={dueTime(item)} />
    </span>
  );
}
