import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { useAction, useList } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { Failure } from '../design/failure.tsx';
import { Panel } from '../design/panel.tsx';
import { ShowMore } from '../design/show-more.tsx';
import { When } from '../design/when.tsx';
import classes from './archived.module.css';
import { MemoryListItem, MemoryListSkeleton } from './memory-list-item.tsx';

const PAGE = 100;

/** Lists the archived memories that can still be restored. */
export function Archived() {
  const list = useList('memories', 'GET /memories/archived', { limit: PAGE });
  const memories = list.data?.pages.flatMap((page) => page.memories) ?? [];
  const restore = useAction('POST /memories/{id}/restore', {
    touches: ['memories', 'overview'],
    done: t`The memory is back.`,
  });
  return (
    <Panel flush hint={t`Archived memories can be restored for 30 days. Then they are erased for good.`}>
      {list.isPending ? (
        <MemoryListSkeleton />
      ) : list.isError && memories.length === 0 ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : memories.length === 0 ? (
        <Empty icon={IconArchive} title={t`Nothing is archived`}>
          <Trans>What you or the agent archive can be restored from here for 30 days.</Trans>
        </Empty>
      ) : (
        memories.map((memory) => (
          <div key={memory.id}>
            <MemoryListItem memory={memory} />
            <Group className={classes.action} gap="sm">
              {memory.restorable_until && (
                <span className={classes.until}>
                  <Trans>
                    erased <When at={memory.restorable_until} />
                  </Trans>
                </span>
              )}
              <Button
                size="xs"
                variant="default"
                loading={restore.isPending && restore.variables.id === memory.id}
                onClick={() => restore.mutate({ id: memory.id })}
              >
                <Trans>Restore</Trans>
              </Button>
            </Group>
          </div>
        ))
      )}
      <ShowMore of={list} label={t`Show more`} />
    </Panel>
  );
}
