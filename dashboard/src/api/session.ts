import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, callApi } from './call.ts';

export type SignedInSession = AnswerOf<'GET /auth/session'>;
export type Agent = SignedInSession['agents'][number];

export const SESSION_KEY = ['session'] as const;

/** Reaches the other windows of this browser. */
const channel = () => new BroadcastChannel('svc-session');

/** Tells the other windows of this browser who is signed in now, by the id of the user: null for nobody. */
export function tellSignedIn(user: string | null): void {
  const other = channel();
  other.postMessage(user);
  other.close();
}

/** Listens for who is signed in by another window. @returns what ends the listening. */
export function onSignedIn(listener: (user: string | null) => void): () => void {
  const other = channel();
  other.onmessage = ({ data }: MessageEvent<string | null>) => listener(data);
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
