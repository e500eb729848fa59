import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { useAction, useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { When } from '../design/when.tsx';
import classes from './archived.module.css';
import { MemoryListItem, MemoryListSkeleton } from './memory-list-item.tsx';

/** Lists the archived memories that can still be restored. */
export function Archived() {
  const archived = useAnswer('memories', 'GET /memories/archived', { limit: 100 });
  const restore = useAction('POST /memories/{id}/restore', {
    touches: ['memories', 'overview'],
    done: t`The memory is back.`,
  });
  return (
    <Panel flush hint={t`Archived memories can be restored for 30 days. Then they are erased for good.`}>
      <QueryResult of={archived} loading={<MemoryListSkeleton />}>
        {({ memories }) =>
          memories.length === 0 ? (
            <Empty icon={IconArchive} title={t`Nothing is archived`}>
              <Trans>What you or the agent archive can be restored from here for 30 days.</Trans>
            </Empty>
          ) : (
            memories.map((memory) => (
              <div key={memory.id} className={classes.item}>
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
          )
        }
      </QueryResult>
    </Panel>
  );
}
