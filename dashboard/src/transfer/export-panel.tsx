import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconFileDownload, IconMarkdown } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useAnswer, useDownload } from '../api/hooks.ts';
import { formatNumber } from '../design/format.ts';
import { Panel } from '../design/panel.tsx';
import { PATHS } from '../navigation/paths.ts';

const FILES = {
  json: { path: '/export?format=json', name: 'memories', extension: 'json' },
  markdown: { path: '/export?format=markdown', name: 'memories', extension: 'md' },
} as const;

/** Downloads all memories as a file. */
export function ExportPanel() {
  const download = useDownload();
  const status = useAnswer('overview', 'GET /status', {});
  const counts = status.data && Object.values(status.data.counts);
  const count = counts?.reduce((sum, number) => sum + number, 0);
  const busy = (file: object) => download.isPending && download.variables === file;
  return (
    <Panel
      title={t`Export`}
      hint={t`All memories, with their history in JSON; importing it into an empty agent restores it.`}
    >
      <Group gap="sm">
        <Button
          leftSection={<IconFileDownload size={17} />}
          loading={busy(FILES.json)}
          onClick={() => download.mutate(FILES.json)}
        >
          <Trans>Download JSON</Trans>
        </Button>
        <Button
          variant="default"
          leftSection={<IconMarkdown size={17} />}
          loading={busy(FILES.markdown)}
          onClick={() => download.mutate(FILES.markdown)}
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
