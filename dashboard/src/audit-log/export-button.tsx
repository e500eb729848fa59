import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useAgent } from '../api/agent.tsx';
import { open, requestHeaders } from '../api/call.ts';
import { ApiError, explain } from '../api/error.ts';
import { saveFile } from '../api/save-file.ts';

/** Downloads the log as a file with one entry a line. */
export function ExportButton() {
  const { agent } = useAgent();
  const download = useMutation({
    mutationFn: async () => {
      const headers = { ...requestHeaders({ agent: agent.id }), Accept: '*/*' };
      const response = await open('/audit-log/export?format=ndjson', { headers });
      if (!response.ok) throw new ApiError('INTERNAL', t`The export could not be made.`, response.status);
      return response.blob();
    },
    onSuccess: (blob) => saveFile(blob, `audit-log-${new Date().toISOString().slice(0, 10)}.ndjson`),
    onError: (error) => notifications.show({ title: t`No export`, message: explain(error), color: 'red' }),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconFileDownload size={17} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      <Trans>Export</Trans>
    </Button>
  );
}
