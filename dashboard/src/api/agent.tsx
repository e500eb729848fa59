import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import type { Agent, Session } from './session.ts';

interface AgentChoice {
  readonly agent: Agent;
  readonly session: Session;
  choose(id: string): void;
}

const Context = createContext<AgentChoice | undefined>(undefined);
const REMEMBERED = 'svc-agent';

/** Chooses which of the human's agents the pages are about; the choice is remembered in this browser. */
export function AgentProvider({ session, children }: { session: Session; children: ReactNode }) {
  const [wanted, setWanted] = useState(() => localStorage.getItem(REMEMBERED));
  const agent = session.agents.find(({ id }) => id === wanted) ?? session.agents[0];
  const choose = useCallback((id: string) => {
    localStorage.setItem(REMEMBERED, id);
    setWanted(id);
  }, []);
  const choice = useMemo(() => agent && { agent, session, choose }, [agent, session, choose]);
  return choice && <Context.Provider value={choice}>{children}</Context.Provider>;
}

/** The agent that the page is about, and who looks. */
export function useAgent(): AgentChoice {
  const choice = useContext(Context);
  if (!choice) throw new TypeError('useAgent is for pages of a human who is signed in');
  return choice;
}
