import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Alert, AppShell, Burger, Skeleton } from '@mantine/core';
import { useDisclosure, useHotkeys, useNetwork } from '@mantine/hooks';
import { IconCloudOff, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { useAnswer } from '../api/hooks.ts';
import { useLiveStatus } from '../api/live.tsx';
import { Face } from '../design/face.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { WaitingCount } from '../design/page-title.ts';
import { PanelSkeleton } from '../design/panel-skeleton.tsx';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';
import { Arrived, Boundary } from './boundary.tsx';
import { Navbar } from './navbar.tsx';
import { NotFound } from './not-found.tsx';
import classes from './shell.module.css';

// Its code comes with the first Ctrl+K.
const CommandPalette = lazy(() => import('./command-palette.tsx'));

/** Frames every page: navigation, state of the connection, and an error boundary. */
export function Shell({ pages }: { pages: readonly PageEntry[] }) {
  const [opened, { toggle, close }] = useDisclosure();
  const { agent } = useAgent();
  const [path, go] = useLocation();
  const [finding, { open: find, close: stopFinding }] = useDisclosure();
  const waiting = useWaiting(pages);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => {
    close();
    window.scrollTo(0, 0);
  }, [path]);
  // On the page of the memories the search field itself listens to the slash.
  useHotkeys([['/', () => path !== PATHS.memories && go(`${PATHS.memories}?find`)]]);
  // Without exceptions: also while the human writes into a field.
  useHotkeys([['mod+K', find]], []);

  return (
    <WaitingCount value={waiting.count}>
      <AppShell
        header={{ height: { base: 56, md: 0 } }}
        navbar={{ width: 264, breakpoint: 'md', collapsed: { mobile: !opened } }}
        padding={{ base: 'md', sm: 'xl' }}
      >
        <a href="#page" className={classes.skip}>
          <Trans>Skip to the page</Trans>
        </a>
        <AppShell.Header hiddenFrom="md" className={classes.header} component="div">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label={t`Navigation`} />
          <Head waiting={waiting} find={find} />
        </AppShell.Header>
        <AppShell.Navbar className={classes.navbar} component="div">
          <Navbar pages={pages} find={find} />
        </AppShell.Navbar>
        <AppShell.Main id="page" tabIndex={-1} className={classes.main}>
          <ConnectionNotice />
          {/* What a page holds, such as the preview of an import, is of one agent. */}
          <Boundary key={`${agent.id} ${path}`}>
            <Suspense fallback={<Loading />}>
              <Switch>
                {pages.map(({ path, component }) => (
                  <Route key={path} path={path} component={component} />
                ))}
                <Route component={NotFound} />
              </Switch>
              <Arrived />
            </Suspense>
          </Boundary>
        </AppShell.Main>
        {finding && (
          <Boundary dismiss={stopFinding}>
            <Suspense>
              <CommandPalette pages={pages} close={stopFinding} />
            </Suspense>
          </Boundary>
        )}
      </AppShell>
    </WaitingCount>
  );
}

/** What a phone shows above each page: whose memory it is, how much waits, and the way to everything. */
function Head({ waiting, find }: { waiting: Waiting; find: () => void }) {
  const { agent } = useAgent();
  return (
    <>
      <Face id={agent.id} size={28} />
      <span className={classes.name}>
        <PlainText text={agent.display_name} />
      </span>
      {waiting.path !== undefined && (
        <Link href={waiting.path} className={classes.waiting} data-alarm={waiting.isAlarm}>
          {waiting.count}{' '}
          <span className={classes.waits}>
            <Trans>waiting</Trans>
          </span>
        </Link>
      )}
      <ActionIcon variant="subtle" color="gray" size={40} onClick={find} aria-label={t`Find anything`}>
        <IconSearch size={20} />
      </ActionIcon>
    </>
  );
}

interface Waiting {
  readonly count: number;
  /** The first page on which something waits, an alarm before all others. */
  readonly path?: string;
  readonly isAlarm?: boolean;
}

/** Counts what waits for the human on all pages. */
function useWaiting(pages: readonly PageEntry[]): Waiting {
  const { data: overview } = useAnswer('overview', 'GET /dashboard', {});
  const waiting = pages.flatMap(({ path, link }) => {
    const count = overview ? (link?.waiting?.(overview) ?? 0) : 0;
    return count > 0 ? [{ path, count, isAlarm: link?.isAlarm === true }] : [];
  });
  const first = waiting.find(({ isAlarm }) => isAlarm) ?? waiting[0];
  return { ...first, count: waiting.reduce((sum, { count }) => sum + count, 0) };
}

/** Takes the place of a page while its code loads. */
function Loading() {
  return (
    <div className={classes.loading} aria-busy="true">
      <Skeleton height={30} width={200} />
      <PanelSkeleton lines={4} />
      <PanelSkeleton lines={6} />
    </div>
  );
}

/** Tells the human when the pages may show old data. */
function ConnectionNotice() {
  const status = useLiveStatus();
  const { online } = useNetwork();
  if (status !== 'offline' && online) return null;
  return (
    <Alert
      icon={<IconCloudOff size={18} />}
      color="yellow"
      variant="light"
      mb="lg"
      role="status"
      title={online ? t`The service cannot be reached` : t`You are offline`}
    >
      <Trans>
        What you see is what was last loaded. It is brought up to date as soon as the connection is back.
      </Trans>
    </Alert>
  );
}
