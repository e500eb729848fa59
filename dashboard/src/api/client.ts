import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isSignedOut } from './error.ts';
import { SESSION_KEY } from './session.ts';

const RETRIES = 2;
const FRESH_MS = 15_000;

/**
 * Creates the cache of queries. The live stream invalidates what has changed. Whichever call is refused because nobody is
 * signed in any more has the session looked at anew, which leads to the sign-in.
 */
export function createQueryClient(): QueryClient {
  const look = (error: Error) => {
    // Nothing watches the session on the pages before the sign-in, where a wrong password is refused in the same way.
    if (isSignedOut(error)) void client.invalidateQueries({ queryKey: SESSION_KEY });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => queryKey[0] !== SESSION_KEY[0] && look(error),
    }),
    mutationCache: new MutationCache({ onError: look }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: 'always',
        retry: (count, error) => count < RETRIES && mayHelp(error),
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

function mayHelp(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 503;
}
