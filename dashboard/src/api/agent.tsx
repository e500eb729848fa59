import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import type { Agent, SignedInSession } from './session.ts';

interface AgentChoice {
  readonly agent: Agent;
  readonly session: SignedInSession;
  choose(id: string): void;
}

const Context = createContext<AgentChoice | undefined>(undefined);
const REMEMBERED = 'svc-agent';

/**
 * Provides the agent that the pages are about. A window stays with its agent when it is loaded anew, or the human would act on
 * another one that they have chosen elsewhere since; a new window begins with the one that was chosen last.
 */
export function AgentProvider({ session, children }: { session: SignedInSession; children: ReactNode }) {
  const [wanted, setWanted] = useState(() => [
    sessionStorage.getItem(REMEMBERED),
    localStorage.getItem(REMEMBERED),
  ]);
  const [agent = session.agents[0]] = wanted.flatMap((one) => session.agents.filter(({ id }) => id === one));
  const id = agent?.id;
  useEffect(() => {
    if (id !== undefined) sessionStorage.setItem(REMEMBERED, id);
  }, [id]);
  const choose = useCallback((id: string) => {
    localStorage.setItem(REMEMBERED, id);
    setWanted([id]);
  }, []);
  const choice = useMemo(() => agent && { agent, session, choose }, [agent, session, choose]);
  return choice && <Context.Provider value={choice}>{children}</Context.Provider>;
}

/** Returns the agent that the pages are about, and the session of the human. */
export function useAgent(): AgentChoice {
  const choice = useContext(Context);
  if (!choice) throw new TypeError('useAgent is for pages of a human who is signed in');
  return choice;
}
