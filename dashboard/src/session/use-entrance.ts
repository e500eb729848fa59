import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call } from '../api/call.ts';
import { SESSION_KEY } from '../api/session.ts';
import { PAGES } from '../pages.ts';

/** What this service offers to a visitor. */
export function useSignInOptions() {
  return useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => call('GET /auth/options', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Goes in after a sign-in: to where the visitor wanted to go, which is always a page of ours. */
export function useEnter(): () => Promise<void> {
  const client = useQueryClient();
  const [, go] = useLocation();
  return async () => {
    await client.resetQueries({ queryKey: SESSION_KEY });
    const next = new URLSearchParams(window.location.search).get('next') ?? '';
    go(/^\/(?![/\\])/.test(next) ? next : PAGES.overview, { replace: true });
  };
}
