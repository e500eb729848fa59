/** What became of a pair that was left to the language model. */
export const CONFLICT_STATUSES = ['waiting', 'replaced', 'kept', 'unanswered', 'outdated'] as const;
export type ConflictStatus = (typeof CONFLICT_STATUSES)[number];
