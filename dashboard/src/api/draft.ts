import { useMemo } from 'react';
import { useAgent } from './agent.tsx';

const DRAFT = 'svc-draft';

/** What a human has typed and not saved. This tab keeps it, also while nobody is signed in. */
interface Draft<Typed> {
  read(): Typed | undefined;
  /** @returns whether it is kept: the browser may refuse it, or have no room. */
  keep(typed: Typed): boolean;
  forget(): void;
}

/** Returns the draft of a form that is about something of the chosen agent. Another human does not see it. */
export function useDraft<Typed>(about: string): Draft<Typed> {
  const { agent, session } = useAgent();
  const key = `${draftsOf(session.user.id)}${agent.id} ${about}`;
  return useMemo(
    () => ({
      read: () => parsed(sessionStorage.getItem(key)) as Typed | undefined,
      keep: (typed) => {
        try {
          sessionStorage.setItem(key, JSON.stringify(typed));
          return true;
        } catch {
          return false;
        }
      },
      forget: () => sessionStorage.removeItem(key),
    }),
    [key],
  );
}

/** Forgets what a human has typed in this tab: they have signed out. */
export function forgetDrafts(userId: string): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(draftsOf(userId))) sessionStorage.removeItem(key);
  }
}

const draftsOf = (userId: string) => `${DRAFT} ${userId} `;

function parsed(json: string | null): unknown {
  try {
    return json === null ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
