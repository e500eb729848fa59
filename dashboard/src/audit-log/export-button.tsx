import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useDownload } from '../api/hooks.ts';

const FILE = { path: '/audit-log/export?format=ndjson', name: 'audit-log', extension: 'ndjson' };

/** Downloads the log as a file with one entry a line. */
export function ExportButton() {
  const download = useDownload();
  return (
    <Button
      variant="default"
      leftSection={<IconFileDownload size={17} />}
      loading={download.isPending}
      onClick={() => download.mutate(FILE)}
    >
      <Trans>Export</Trans>
    </Button>
  );
}
