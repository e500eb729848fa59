import type { AnswerOf } from '../api/call.ts';
import { serviceNow } from '../api/clock.ts';
import { useAnswer } from '../api/hooks.ts';

export type DueItem = AnswerOf<'GET /schedule'>['items'][number];
export type WorkItem = AnswerOf<'GET /wip'>['items'][number];

const MOST = 100;
const REFRESH_MS = 60_000;
const DAY_MS = 86_400_000;

/** Reads what is scheduled, the soonest and so the overdue first, and the open work, the last changed first. */
export function useAgenda() {
  const extra = { refetchInterval: REFRESH_MS };
  const dates = useAnswer('agenda', 'GET /schedule', { status: 'scheduled', limit: MOST }, extra);
  const work = useAnswer('agenda', 'GET /wip', { status: 'open', limit: MOST }, extra);
  return { dates, work };
}

export function isOverdue({ due_at, whole_day }: DueItem): boolean {
  return new Date(due_at).getTime() + (whole_day ? DAY_MS : 0) < serviceNow();
}

/** A time as requests give it for an item like this one: of a whole day its date alone. */
export function dueText({ whole_day }: DueItem, due: string): string {
  return whole_day ? due.slice(0, 'YYYY-MM-DD'.length) : due;
}
