import { t } from '@lingui/core/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { callApi } from '../api/call.ts';
import { forgetDrafts } from '../api/draft.ts';
import { notifyFailure } from '../api/notify.tsx';
import { SESSION_KEY, type SignedInSession, sessionChannel } from '../api/session.ts';
import { PATHS } from '../navigation/paths.ts';
import { ownPath } from './wanted-page.ts';

/** Reads how a visitor can sign in to this service. */
export function useSignInOptions() {
  return useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => callApi('GET /auth/options', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Opens the page that the visitor wanted before the sign-in. */
export function useEnter(): () => Promise<void> {
  const client = useQueryClient();
  const [, go] = useLocation();
  return async () => {
    await client.resetQueries({ queryKey: SESSION_KEY });
    const next = new URLSearchParams(window.location.search).get('next') ?? '';
    go(ownPath(next) ?? PATHS.overview, { replace: true });
  };
}

/** Enters when the visitor comes back to this window, signed in in another one: by the link of the terminal. */
export function useSignedInElsewhere(enter: () => Promise<void>): void {
  const latest = useRef(enter);
  latest.current = enter;
  useEffect(() => {
    const look = () => {
      // A visitor who is not signed in stays where they are.
      callApi('GET /auth/session', {}).then(
        () => latest.current(),
        () => {},
      );
    };
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, []);
}

/** Ends the session, and clears its data from all windows of this browser. */
export function useSignOut() {
  const leave = useLeave();
  return useMutation({
    mutationFn: () => callApi('POST /auth/logout', {}),
    onSuccess: () => {
      sessionChannel.tell(null);
      leave();
    },
    // Whoever leaves the machine to others must know that they are not signed out.
    onError: (error) => notifyFailure(error, t`You are still signed in`),
  });
}

/**
 * Keeps the windows of this browser to one human: clears the data of the session from this one when another has signed out, and
 * reads the session anew when another human has signed in there, as all windows send the same cookie.
 *
 * @param user The id of who is signed in here. Undefined while that is unknown.
 */
export function useSessionElsewhere(user: string | undefined): void {
  const client = useQueryClient();
  const leave = useLeave();
  useEffect(() => {
    if (user !== undefined) sessionChannel.tell(user);
    return sessionChannel.listen((other) => {
      if (other === null) leave();
      else if (other !== user) void client.resetQueries({ queryKey: SESSION_KEY });
    });
  }, [client, leave, user]);
}

function useLeave(): () => void {
  const client = useQueryClient();
  const [, go] = useLocation();
  return useCallback(() => {
    const session = client.getQueryData<SignedInSession>(SESSION_KEY);
    if (session) forgetDrafts(session.user.id);
    go(PATHS.signIn);
    client.clear();
  }, [client, go]);
}
