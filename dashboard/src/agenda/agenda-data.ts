import type { AnswerOf } from '../api/call.ts';
import { serviceNow } from '../api/clock.ts';
import { useAnswer } from '../api/hooks.ts';
import { dayAfter, endOfLocalDay, localDayOf, startOfLocalDay } from '../design/local-day.ts';

export type DueItem = AnswerOf<'GET /schedule'>['items'][number];
export type WorkItem = AnswerOf<'GET /wip'>['items'][number];

const MOST = 100;
const REFRESH_MS = 60_000;

/** Reads what is scheduled, the soonest and so the overdue first, and the open work, the last changed first. */
export function useAgenda() {
  const extra = { refetchInterval: REFRESH_MS };
  const dates = useAnswer('agenda', 'GET /schedule', { status: 'scheduled', limit: MOST }, extra);
  const work = useAnswer('agenda', 'GET /wip', { status: 'open', limit: MOST }, extra);
  return { dates, work };
}

/** The day of an item of a whole day, which is the same one wherever the human is. */
export function dueDayOf({ due_at }: DueItem): string {
  return due_at.slice(0, 'YYYY-MM-DD'.length);
}

/** When an item is due here: a whole day from its beginning on. */
export function dueTime(item: DueItem): string {
  return item.whole_day ? startOfLocalDay(dueDayOf(item)) : item.due_at;
}

export function isOverdue(item: DueItem): boolean {
  return Date.parse(item.whole_day ? endOfLocalDay(dueDayOf(item)) : item.due_at) < serviceNow();
}

/**
 * A time so many days later by the calendar, as requests give it. What is overdue is moved from now on, or it would stay overdue.
 */
export function laterBy(days: number, item: DueItem): string {
  const now = new Date(serviceNow());
  if (item.whole_day) {
    const [, later = ''] = [localDayOf(now), dueDayOf(item)].sort();
    return dayAfter(later, days);
  }
  const due = new Date(Math.max(now.getTime(), Date.parse(item.due_at)));
  // Not by hours: a day on which the clocks change has 23 or 25.
  due.setDate(due.getDate() + days);
  return due.toISOString();
}

/** When an item is due, as requests give it: of a whole day its date alone. */
export function dueText(item: DueItem): string {
  return item.whole_day ? dueDayOf(item) : item.due_at;
}
