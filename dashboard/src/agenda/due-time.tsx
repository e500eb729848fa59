import { t } from '@lingui/core/macro';
import { serviceNow } from '../api/clock.ts';
import { When } from '../design/when.tsx';
import { type DueItem, isOverdue } from './agenda-data.ts';

/** Says when something is due, and whether it is overdue. A day that has begun is today until it ends. */
export function DueTime({ item }: { item: DueItem }) {
  const overdue = isOverdue(item);
  const hasBegun = new Date(item.due_at).getTime() <= serviceNow();
  if (item.whole_day && hasBegun && !overdue) return t`today`;
  return (
    <>
      {overdue && t`overdue, `}
      <When at={item.due_at} />
    </>
  );
}
