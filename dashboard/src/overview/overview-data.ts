import type { AnswerOf } from '../api/call.ts';

/** What the overview shows. */
export type OverviewData = AnswerOf<'GET /dashboard'>;

/** Whether the agent hides memories of any kind. If so, a count of none does not mean that there are none. */
export function hidesSome({ default: level, types, categories, tags }: OverviewData['visibility']): boolean {
  const levels = [level, ...Object.values(types), ...Object.values(categories), ...Object.values(tags)];
  return levels.includes('hidden');
}
