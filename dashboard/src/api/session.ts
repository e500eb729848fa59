import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, callApi } from './call.ts';

export type SignedInSession = AnswerOf<'GET /auth/session'>;
export type Agent = SignedInSession['agents'][number];

export const SESSION_KEY = ['session'] as const;

/** Reads who is signed in. An `ApiError` of status 401 means nobody. */
export function useSession() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => callApi('GET /auth/session', {}, { signal }),
    staleTime: 5 * 60_000,
  });
}
