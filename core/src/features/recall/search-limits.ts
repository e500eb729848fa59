/** Most candidates that words and vectors may each find: per requested result, at least and at most. */
export const CANDIDATE_LIMIT = { each: 6, least: 60, most: 200 };
/** Candidates whose neighbours are read, likewise. */
export const CONTEXT_SEEDS = { each: 2, least: 24, most: 100 };
/**
 * The neighbours of a memory: on either side the nearest ones in its session. Longer ones, in words, are passed over: they lend
 * little, and in chats with an agent its long replies stand between what the user says. Where memories are long on the average,
 * neighbours are looked for so many places away; elsewhere that would only cost time.
 */
export const NEIGHBOURS = { most: 2, within: 4, longest: 100 };

/** Scales a limit by the number of requested results. */
export function scaledLimit({ each, least, most }: typeof CANDIDATE_LIMIT, limit: number): number {
  return Math.min(most, Math.max(least, each * limit));
}
