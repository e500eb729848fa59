import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileDownload, IconMarkdown } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { open, requestHeaders } from '../api/call.ts';
import { ApiError, explain } from '../api/error.ts';
import { useAnswer } from '../api/hooks.ts';
import { saveFile } from '../api/save-file.ts';
import { formatNumber } from '../design/format.ts';
import { Panel } from '../design/panel.tsx';
import { PATHS } from '../navigation/paths.ts';

type Format = 'json' | 'markdown';
const ENDINGS = { json: 'json', markdown: 'md' } as const;

/** Downloads all memories as a file. */
export function ExportPanel() {
  const { agent } = useAgent();
  const download = useMutation({
    mutationFn: async (format: Format) => {
      const headers = { ...requestHeaders({ agent: agent.id }), Accept: '*/*' };
      const response = await open(`/export?format=${format}`, { headers });
      if (!response.ok) throw new ApiError('INTERNAL', t`The export could not be made.`, response.status);
      return response.blob();
    },
    onSuccess: (blob, format) =>
      saveFile(blob, `memories-${new Date().toISOString().slice(0, 10)}.${ENDINGS[format]}`),
    onError: (error) => notifications.show({ title: t`No export`, message: explain(error), color: 'red' }),
  });
  const status = useAnswer('overview', 'GET /status', {});
  const counts = status.data && Object.values(status.data.counts);
  const count = counts?.reduce((sum, number) => sum + number, 0);
  const busy = (format: Format) => download.isPending && download.variables === format;
  return (
    <Panel
      title={t`Export`}
      hint={t`All memories, with their history in JSON; importing it into an empty agent restores it.`}
    >
      <Group gap="sm">
        <Button
          leftSection={<IconFileDownload size={17} />}
          loading={busy('json')}
          onClick={() => download.mutate('json')}
        >
          <Trans>Download JSON</Trans>
        </Button>
        <Button
          variant="default"
          leftSection={<IconMarkdown size={17} />}
          loading={busy('markdown')}
          onClick={() => download.mutate('markdown')}
        >
          <Trans>Download Markdown</Trans>
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt="sm">
        {count !== undefined && t`${formatNumber(count)} memories, and those archived. `}
        <Trans>
          It holds what your agent{' '}
          <Anchor component={Link} href={PATHS.visibility} size="sm" underline="always">
            lets you see
          </Anchor>
          . The agent itself can export everything.
        </Trans>
      </Text>
    </Panel>
  );
}
