import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { callApi } from '../api/call.ts';
import { SESSION_KEY } from '../api/session.ts';
import { PATHS } from '../navigation/paths.ts';

/** Reads how a visitor can sign in to this service. */
export function useSignInOptions() {
  return useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => callApi('GET /auth/options', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Opens the page that the visitor wanted before the sign-in. Only paths of this site are accepted. */
export function useEnter(): () => Promise<void> {
  const client = useQueryClient();
  const [, go] = useLocation();
  return async () => {
    await client.resetQueries({ queryKey: SESSION_KEY });
    const next = new URLSearchParams(window.location.search).get('next') ?? '';
    go(/^\/(?![/\\])/.test(next) ? next : PATHS.overview, { replace: true });
  };
}

/** Ends the session and clears its data from this window. */
export function useSignOut() {
  const client = useQueryClient();
  const [, go] = useLocation();
  return useMutation({
    mutationFn: () => callApi('POST /auth/logout', {}),
    onSuccess: () => {
      go(PATHS.signIn);
      client.clear();
    },
  });
}
