import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, callApi } from './call.ts';

export type SignedInSession = AnswerOf<'GET /auth/session'>;
export type Agent = SignedInSession['agents'][number];

export const SESSION_KEY = ['session'] as const;

/** Reaches the other windows of this browser. */
const channel = () => new BroadcastChannel('svc-session');

/** Tells the other windows of this browser that the session has ended. */
export function tellSignedOut(): void {
  const other = channel();
  other.postMessage('signed-out');
  other.close();
}

/** Listens for the end of the session in another window. @returns what ends the listening. */
export function onSignedOut(listener: () => void): () => void {
  const other = channel();
  other.onmessage = listener;
  return () => other.close();
}

/** Reads who is signed in. An `ApiError` of status 401 means nobody. */
export function useSession() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => callApi('GET /auth/session', {}, { signal }),
    staleTime: 5 * 60_000,
  });
}
