import { AppShell, Burger, Center, Loader } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Suspense, useEffect } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { Face } from '../design/face.tsx';
import { PlainText } from '../design/memory-text.tsx';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';
import { Boundary } from './boundary.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { Navbar } from './navbar.tsx';
import { NotFound } from './not-found.tsx';
import classes from './shell.module.css';

/** Frames every page: navigation, state of the connection, and an error boundary. */
export function Shell({ pages }: { pages: readonly PageEntry[] }) {
  const { agent } = useAgent();
  const [opened, { toggle, close }] = useDisclosure();
  const [path, go] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => {
    close();
    window.scrollTo(0, 0);
  }, [path]);
  useHotkeys([['/', () => go(`${PATHS.memories}?find`)]]);

  return (
    <AppShell
      header={{ height: { base: 56, md: 0 } }}
      navbar={{ width: 264, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a href="#page" className={classes.skip}>
        Skip to the page
      </a>
      <AppShell.Header hiddenFrom="md" className={classes.header} component="div">
        <Burger opened={opened} onClick={toggle} size="sm" aria-label="Navigation" />
        <Face id={agent.id} size={28} />
        <span className={classes.name}>
          <PlainText text={agent.display_name} />
        </span>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} component="div">
        <Navbar pages={pages} />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} className={classes.main}>
        <ConnectionNotice />
        <Boundary key={path}>
          <Suspense fallback={<Loading />}>
            <Switch>
              {pages.map(({ path, component }) => (
                <Route key={path} path={path} component={component} />
              ))}
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </Boundary>
      </AppShell.Main>
    </AppShell>
  );
}

function Loading() {
  return (
    <Center mih="50dvh">
      <Loader type="dots" aria-label="Loading" />
    </Center>
  );
}
