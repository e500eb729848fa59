import { Center, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { AgentProvider } from '../api/agent.tsx';
import { ApiError } from '../api/error.ts';
import { LiveUpdates } from '../api/live.tsx';
import { type SignedInSession, useSession } from '../api/session.ts';
import { Failure } from '../design/failure.tsx';
import { PATHS } from '../navigation/paths.ts';
import { Shell } from '../shell/shell.tsx';
import { PAGES, VISITOR_PAGES } from './pages.ts';

/** Routes to the pages of a visitor, then to those of a human who is signed in. */
export function App() {
  return (
    <Switch>
      {VISITOR_PAGES.map(({ path, component }) => (
        <Route key={path} path={path} component={component} />
      ))}
      <Route>
        <SignedIn>
          {(session) => (
            <AgentProvider session={session}>
              <LiveUpdates>
                <Shell pages={PAGES} />
              </LiveUpdates>
            </AgentProvider>
          )}
        </SignedIn>
      </Route>
    </Switch>
  );
}

function SignedIn({ children }: { children: (session: SignedInSession) => ReactNode }) {
  const session = useSession();
  const [path] = useLocation();
  const { error } = session;
  // An ended session leads to the sign-in, so that none of its data stays on the page.
  if (error instanceof ApiError && error.status === 401) {
    const query = new URLSearchParams(window.location.search);
    if (path !== PATHS.overview) query.set('next', path);
    return <Redirect to={`${PATHS.signIn}${query.size > 0 ? `?${query}` : ''}`} replace />;
  }
  if (session.data) return children(session.data);
  return (
    <Center mih="100dvh">
      {error ? (
        <Failure error={error} retry={() => void session.refetch()} />
      ) : (
        <Loader type="dots" aria-label="Loading" />
      )}
    </Center>
  );
}
