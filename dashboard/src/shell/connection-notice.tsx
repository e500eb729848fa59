import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconCloudOff } from '@tabler/icons-react';
import { useLiveStatus } from '../api/live.tsx';

/** Tells the human when the pages may show old data. */
export function ConnectionNotice() {
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
