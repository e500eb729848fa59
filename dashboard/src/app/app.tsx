import { t } from '@lingui/core/macro';
import { Center, Loader } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { AgentProvider } from '../api/agent.tsx';
import { isSignedOut } from '../api/error.ts';
import { LiveUpdates } from '../api/live.tsx';
import { notifyFailure } from '../api/notify.tsx';
import { type SignedInSession, useSession } from '../api/session.ts';
import { Failure } from '../design/failure.tsx';
import { PATHS } from '../navigation/paths.ts';
import { linkProblemOfSignedIn } from '../session/link-problem.ts';
import { useSessionElsewhere } from '../session/use-entrance.ts';
import { forgetWantedPage, rememberWantedPage, wantedPage } from '../session/wanted-page.ts';
import { Arrived, Boundary } from '../shell/boundary.tsx';
import { Shell } from '../shell/shell.tsx';
import { PAGES, VISITOR_PAGES } from './pages.ts';

/**
 * Routes to the pages of a visitor, then to those of a human who is signed in. Each waits for its code by itself: one that
 * waited together with what was there before would leave that on the page, out of sight.
 */
export function App() {
  return (
    <Switch>
      {VISITOR_PAGES.map(({ path, component: Page }) => (
        <Route key={path} path={path}>
          <Boundary>
            <Suspense fallback={<Waiting />}>
              <Page />
              <Arrived />
            </Suspense>
          </Boundary>
        </Route>
      ))}
      <Route key="signed-in">
        <Suspense fallback={<Waiting />}>
          <SignedIn>
            {(session) => (
              <AgentProvider session={session}>
                <LiveUpdates>
                  <Shell pages={PAGES} />
                </LiveUpdates>
              </AgentProvider>
            )}
          </SignedIn>
        </Suspense>
      </Route>
    </Switch>
  );
}

function Waiting() {
  return (
    <Center mih="100dvh">
      <Loader type="dots" role="status" aria-label={t`Loading`} />
    </Center>
  );
}

/** Says why a link that led here signed nobody in, to a human who is signed in all the same. */
function useFailedLink(isSignedIn: boolean): void {
  const [path, go] = useLocation();
  const [problem] = useState(
    path === PATHS.overview ? linkProblemOfSignedIn(window.location.search) : undefined,
  );
  useEffect(() => {
    if (!isSignedIn || problem === undefined) return;
    notifyFailure(new Error(problem), t`You are signed in already`);
    // Not again when the page is loaded anew. The page that was wanted before stays where it led.
    if (window.location.pathname === PATHS.overview) go(PATHS.overview, { replace: true });
  }, [isSignedIn, problem, go]);
}

function SignedIn({ children }: { children: (session: SignedInSession) => ReactNode }) {
  const session = useSession();
  useSessionElsewhere(session.data?.user.id);
  const [path] = useLocation();
  const { error } = session;
  const isSignedIn = session.data !== undefined;
  useEffect(() => {
    if (isSignedIn && path !== PATHS.overview) forgetWantedPage();
  }, [isSignedIn, path]);
  useFailedLink(isSignedIn);
  // An ended session leads to the sign-in, so that none of its data stays on the page.
  if (isSignedOut(error)) {
    const { search } = window.location;
    const next = `${path}${search}`;
    if (path !== PATHS.overview) rememberWantedPage(next);
    const query = new URLSearchParams(path === PATHS.overview ? search : { next });
    // Who was at work here a moment ago is told why they are not any more.
    if (session.data) query.set('error', 'session_ended');
    return <Redirect to={`${PATHS.signIn}${query.size > 0 ? `?${query}` : ''}`} replace />;
  }
  if (session.data) {
    const wanted = wantedPage();
    if (wanted !== undefined && path === PATHS.overview) return <Redirect to={wanted} replace />;
    return children(session.data);
  }
  if (!error) return <Waiting />;
  return (
    <Center mih="100dvh">
      <Failure error={error} retry={() => void session.refetch()} />
    </Center>
  );
}
