import type { RequestOf } from '../api/call.ts';
import { useAction, useAnswer, useList } from '../api/hooks.ts';
import type { GuardianDecision } from './decision-words.ts';
import type { GuardedSpace, ReviewEntry } from './entry.ts';

/** What a decision changes. */
export const DECISION_TOUCHES = ['guardian', 'overview', 'memories', 'boot', 'stability', 'spaces'] as const;
const PAGE = 50;
const MOST_OF_MEMORY = 10;

/** Reads the newest entries of a status or a memory, of the agent's Guardian or of a space's. */
export function useEntries(asked: RequestOf<'GET /guardian'>, space: string | undefined) {
  return useAnswer(
    'guardian',
    space === undefined ? 'GET /guardian' : 'GET /spaces/{space_id}/guardian',
    space === undefined ? asked : { ...asked, space_id: space },
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

const UNDECIDED: readonly ReviewEntry['status'][] = ['waiting', 'cooling', 'added'];

/**
 * Whether an entry waits no more: the agent has withdrawn it, its time has come, or it was decided elsewhere. That it is not among
 * the newest says nothing of it.
 */
export function useIsOver({ id, memory_id }: ReviewEntry, space: GuardedSpace | undefined): boolean {
  const { data } = useEntries({ memory_id, limit: MOST_OF_MEMORY }, space?.id);
  const entry = data?.entries.find((one) => one.id === id);
  return entry !== undefined && !UNDECIDED.includes(entry.status);
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
