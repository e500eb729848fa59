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
        title={away ? 'The service cannot be reached' : 'This could not be shown'}
        action={
          retry && (
            <Button variant="default" size="xs" onClick={retry}>
              Try again
            </Button>
          )
        }
      >
        {away ? 'It will be shown as soon as the service is back.' : explain(error)}
        {error instanceof ApiError && error.requestId && <div>Request {error.requestId}</div>}
      </Empty>
    </div>
  );
}
