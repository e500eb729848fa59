import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Affix, Button, Group, Paper, Text } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { useState } from 'react';
import { useAgent } from '../api/agent.tsx';
import { callApi } from '../api/call.ts';
import { eachOf } from '../api/each-of.ts';
import { useRefresh } from '../api/hooks.ts';
import { notifyDone, notifyFailure } from '../api/notify.tsx';
import type { Listed } from './memory-preview.tsx';

const TOPICS = ['memories', 'overview', 'guardian'] as const;

interface Props {
  readonly memories: readonly Pick<Listed, 'id' | 'space_id'>[];
  readonly clear: () => void;
}

/** Offers what can be done with the memories that are chosen: to archive them, which the notification takes back. */
export function BulkActions({ memories, clear }: Props) {
  const { archive, isWorking } = useArchive();
  if (memories.length === 0) return null;
  return (
    <Affix position={{ bottom: 20, left: '50%' }} style={{ transform: 'translateX(-50%)' }}>
      <Paper
        withBorder
        shadow="md"
        radius="lg"
        px="md"
        py="xs"
        role="region"
        aria-label={t`Selected memories`}
      >
        <Group gap="sm" wrap="nowrap">
          <Text size="sm" fw={560}>
            <Trans>{countOf(memories.length)} selected</Trans>
          </Text>
          <Button
            size="xs"
            leftSection={<IconArchive size={15} />}
            loading={isWorking}
            onClick={() => void archive(memories).then(clear)}
          >
            <Trans>Archive</Trans>
          </Button>
          <Button size="xs" variant="subtle" onClick={clear}>
            <Trans>Clear</Trans>
          </Button>
        </Group>
      </Paper>
    </Affix>
  );
}

/** A memory, and the space that it is in. */
interface Archived {
  readonly id: string;
  readonly space_id?: string;
}

/** Returns what archives many memories. Those that are protected stay, and it says how many. */
function useArchive() {
  const { agent } = useAgent();
  const refresh = useRefresh(TOPICS);
  const [isWorking, setWorking] = useState(false);
  const options = { agent: agent.id };
  const restore = async (archived: readonly Archived[]) => {
    await eachOf(archived, (one) => callApi('POST /memories/{id}/restore', one, options)).finally(refresh);
    return t`${countOf(archived.length)} back.`;
  };
  const archive = async (memories: Props['memories']) => {
    setWorking(true);
    const archived: Archived[] = [];
    await eachOf(memories, async ({ id, space_id }) => {
      const one = { id, ...(space_id !== undefined && { space_id }) };
      const { outcome } = await callApi('DELETE /memories/{id}', one, options);
      if (outcome !== 'queued') archived.push(one);
    }).catch(notifyFailure);
    setWorking(false);
    await refresh();
    const stay = memories.length - archived.length;
    notifyDone({
      message:
        stay > 0
          ? t`${countOf(archived.length)} archived; ${stay} stay as they are.`
          : t`${countOf(archived.length)} archived.`,
      undo: archived.length > 0 ? () => restore(archived) : undefined,
    });
  };
  return { archive, isWorking };
}

const countOf = (count: number) => plural(count, { one: 'One memory', other: '# memories' });
