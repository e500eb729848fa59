import { Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileDownload, IconMarkdown } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { open, requestHeaders } from '../api/call.ts';
import { ApiError, explain } from '../api/error.ts';
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
      if (!response.ok) throw new ApiError('INTERNAL', 'The export could not be made.', response.status);
      return response.blob();
    },
    onSuccess: (blob, format) =>
      save(blob, `memories-${new Date().toISOString().slice(0, 10)}.${ENDINGS[format]}`),
    onError: (error) => notifications.show({ title: 'No export', message: explain(error), color: 'red' }),
  });
  const busy = (format: Format) => download.isPending && download.variables === format;
  return (
    <Panel
      title="Export"
      hint="All memories, with their history in JSON; importing it into an empty agent restores it."
    >
      <Group gap="sm">
        <Button
          leftSection={<IconFileDownload size={17} />}
          loading={busy('json')}
          onClick={() => download.mutate('json')}
        >
          Download JSON
        </Button>
        <Button
          variant="default"
          leftSection={<IconMarkdown size={17} />}
          loading={busy('markdown')}
          onClick={() => download.mutate('markdown')}
        >
          Download Markdown
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt="sm">
        It holds what your agent{' '}
        <Anchor component={Link} href={PATHS.visibility} size="sm" underline="always">
          lets you see
        </Anchor>
        . The agent itself can export everything.
      </Text>
    </Panel>
  );
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
