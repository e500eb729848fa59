import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, callApi } from './call.ts';
import { windowChannel } from './window-channel.ts';

export type SignedInSession = AnswerOf<'GET /auth/session'>;
export type Agent = SignedInSession['agents'][number];

export const SESSION_KEY = ['session'] as const;

/** Who is signed in now, for the other windows of this browser, by the id of the user: null for nobody. */
export const sessionChannel = windowChannel<string | null>('svc-session');

/** Reads who is signed in. An `ApiError` of status 401 means nobody. */
export function useSession() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => callApi('GET /auth/session', {}, { signal }),
    staleTime: 5 * 60_000,
  });
}
