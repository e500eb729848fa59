import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import type { Agent, SignedInSession } from './session.ts';

interface AgentChoice {
  readonly agent: Agent;
  readonly session: SignedInSession;
  choose(id: string): void;
}

const Context = createContext<AgentChoice | undefined>(undefined);
const REMEMBERED = 'svc-agent';

/** Provides the agent that the pages are about. The browser remembers the human's choice. */
export function AgentProvider({ session, children }: { session: SignedInSession; children: ReactNode }) {
  const [wanted, setWanted] = useState(() => localStorage.getItem(REMEMBERED));
  const agent = session.agents.find(({ id }) => id === wanted) ?? session.agents[0];
  const choose = useCallback((id: string) => {
    localStorage.setItem(REMEMBERED, id);
    setWanted(id);
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
