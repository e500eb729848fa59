import { useQuery } from '@tanstack/react-query';
import { type Answer, call } from './call.ts';

export type Session = Answer<'GET /auth/session'>;
export type Agent = Session['agents'][number];

export const SESSION_KEY = ['session'] as const;

/** Who is signed in. An `ApiError` of status 401 means nobody. */
export function useSession() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => call('GET /auth/session', {}, { signal }),
    staleTime: 5 * 60_000,
  });
}
