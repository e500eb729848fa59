import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconCloudOff, IconMoodSad } from '@tabler/icons-react';
import { ApiError, explain } from '../api/error.ts';
import { Empty } from './empty.tsx';

/** Says why something could not be read, and offers to try again. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const away = error instanceof ApiError && error.code === 'OFFLINE';
  return (
    <div role="alert">
      <Empty
        icon={away ? IconCloudOff : IconMoodSad}
        title={away ? t`The service cannot be reached` : t`This could not be shown`}
        action={
          retry && (
            <Button variant="default" size="xs" onClick={retry}>
              <Trans>Try again</Trans>
            </Button>
          )
        }
      >
        {away ? t`It will be shown as soon as the service is back.` : explain(error)}
        {error instanceof ApiError && error.requestId && (
          <div>
            <Trans>Request {error.requestId}</Trans>
          </div>
        )}
      </Empty>
    </div>
  );
}
