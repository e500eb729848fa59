import type { AnswerOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';

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

export function isOverdue({ due_at }: DueItem): boolean {
  return new Date(due_at).getTime() < Date.now();
}
