import { useAction, useAnswer, useList } from '../api/hooks.ts';
import type { GuardianDecision } from './decision-words.ts';
import type { GuardedSpace, ReviewEntry } from './entry.ts';

/** What a decision changes. */
export const DECISION_TOUCHES = ['guardian', 'overview', 'memories', 'boot', 'stability', 'spaces'] as const;
const MOST = 100;
const PAGE = 50;

/** Reads the newest entries of a status, of the agent's Guardian or of a space's. */
export function useEntries(status: ReviewEntry['status'], space: string | undefined) {
  const own = { status, limit: MOST };
  return useAnswer(
    'guardian',
    space === undefined ? 'GET /guardian' : 'GET /spaces/{space_id}/guardian',
    space === undefined ? own : { ...own, space_id: space },
  );
}

/** Reads all entries of the agent's Guardian, or of a space's, newest first. */
export function useEntryList(space: string | undefined) {
  return useList(
    'guardian',
    space === undefined ? 'GET /guardian' : 'GET /spaces/{space_id}/guardian',
    space === undefined ? { limit: PAGE } : { limit: PAGE, space_id: space },
  );
}

/** Decides on an entry. That of a space takes its `space_id`. */
export function useDecision(
  decision: GuardianDecision,
  space: GuardedSpace | undefined,
  told: Pick<
    Parameters<typeof useAction<'POST /guardian/{id}/approve'>>[1],
    'done' | 'undo' | 'form' | 'succeeded'
  >,
) {
  return useAction(
    space === undefined
      ? (`POST /guardian/{id}/${decision}` as const)
      : (`POST /spaces/{space_id}/guardian/{id}/${decision}` as const),
    { touches: DECISION_TOUCHES, ...told },
  );
}
