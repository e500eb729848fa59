import { Center, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { AgentProvider } from './api/agent.tsx';
import { ApiError } from './api/error.ts';
import { LiveUpdates } from './api/live.tsx';
import { type Session, useSession } from './api/session.ts';
import { Failure } from './design/failure.tsx';
import { PAGES } from './pages.ts';
import { ForgotPassword } from './session/forgot-password.tsx';
import { ResetPassword } from './session/reset-password.tsx';
import { SignIn } from './session/sign-in.tsx';
import { SignUp } from './session/sign-up.tsx';
import { Shell } from './shell/shell.tsx';

/** The pages of a visitor, then those of a human who is signed in. */
export function App() {
  return (
    <Switch>
      <Route path={PAGES.signIn} component={SignIn} />
      <Route path={PAGES.signUp} component={SignUp} />
      <Route path={PAGES.forgotPassword} component={ForgotPassword} />
      <Route path={PAGES.resetPassword} component={ResetPassword} />
      <Route>
        <SignedIn>
          {(session) => (
            <AgentProvider session={session}>
              <LiveUpdates>
                <Shell />
              </LiveUpdates>
            </AgentProvider>
          )}
        </SignedIn>
      </Route>
    </Switch>
  );
}

function SignedIn({ children }: { children: (session: Session) => ReactNode }) {
  const session = useSession();
  const [path] = useLocation();
  const { error } = session;
  // Nothing stays on the page of a session that has ended.
  if (error instanceof ApiError && error.status === 401) {
    const query = new URLSearchParams(window.location.search);
    if (path !== PAGES.overview) query.set('next', path);
    return <Redirect to={`${PAGES.signIn}${query.size > 0 ? `?${query}` : ''}`} replace />;
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
