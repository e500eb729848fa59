import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconCloudOff, IconMoodSad, IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { hasReloadedForCode, isReachable, reloadForCode } from '../api/load-failure.ts';
import { worthTrying } from '../api/worth-trying.ts';
import { Empty } from '../design/empty.tsx';
import { PanelSkeleton } from '../design/panel-skeleton.tsx';

/** `away`: the service cannot be reached. `updated`: the file is gone. `stuck`: it is gone also after loading anew. */
type State = 'asking' | 'away' | 'updated' | 'stuck';

const RETRY_MS = 3_000;
const NOTICE_MS = 1_000;

/** Takes the place of a page whose code could not be loaded. The page comes by itself once the service answers. */
export function PageNotLoaded({ reached }: { reached: Promise<boolean> }) {
  const [state, setState] = useState<State>('asking');
  useEffect(() => {
    const abort = new AbortController();
    void loadAnew(reached, abort.signal, setState);
    return () => abort.abort();
  }, [reached]);
  if (state === 'asking') return <PanelSkeleton lines={4} />;
  return (
    <div role="alert">
      <Told state={state} />
    </div>
  );
}

function Told({ state }: { state: Exclude<State, 'asking'> }) {
  if (state === 'updated') {
    return (
      <Empty icon={IconRefresh} title={t`The service was updated`}>
        <Trans>The page is loaded anew.</Trans>
      </Empty>
    );
  }
  if (state === 'stuck') {
    return (
      <Empty
        icon={IconMoodSad}
        title={t`This page could not be loaded`}
        action={
          <Button variant="default" size="xs" onClick={reloadForCode}>
            <Trans>Try again</Trans>
          </Button>
        }
      >
        <Trans>The service answers, but does not have it. Loading everything anew has not helped.</Trans>
      </Empty>
    );
  }
  return (
    <Empty
      icon={IconCloudOff}
      title={navigator.onLine ? t`The service cannot be reached` : t`You are offline`}
    >
      <Trans>This page was not opened before. It comes by itself as soon as the connection is back.</Trans>
    </Empty>
  );
}

/**
 * Waits until the service is reached, and loads the page anew. A file that is gone is worth that once, so that it never goes round.
 */
async function loadAnew(reached: Promise<boolean>, signal: AbortSignal, tell: (state: State) => void) {
  if (await reached) {
    if (signal.aborted) return;
    if (hasReloadedForCode()) return tell('stuck');
    tell('updated');
    await new Promise((resolve) => setTimeout(resolve, NOTICE_MS));
  } else {
    while (!signal.aborted && !(await isReachable())) {
      if (!signal.aborted) tell('away');
      await worthTrying(signal, RETRY_MS);
    }
  }
  if (!signal.aborted) reloadForCode();
}
