import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconCheck, IconHammer, IconPlus } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AnswerOf } from '../api/call.ts';
import { Empty } from '../design/empty.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { When } from '../design/when.tsx';
import type { WorkItem } from './agenda-data.ts';
import { Item, ItemsSkeleton } from './item.tsx';
import { useItemDone } from './use-item-done.ts';

interface Props {
  readonly work: UseQueryResult<AnswerOf<'GET /wip'>>;
  readonly add: () => void;
}

/** Lists the works in progress, the last changed first. */
export function WorkPanel({ work, add }: Props) {
  return (
    <Panel
      title={t`In work`}
      hint={t`What your agent is in the middle of`}
      action={
        <Button size="xs" variant="default" leftSection={<IconPlus size={15} />} onClick={add}>
          <Trans>Add</Trans>
        </Button>
      }
      flush
    >
      <QueryResult of={work} loading={<ItemsSkeleton />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={IconHammer} title={t`Nothing is in work`}>
              <Trans>Your agent notes here what it has begun, so that it goes on after a compaction.</Trans>
            </Empty>
          ) : (
            <ul>
              {items.map((item) => (
                <WorkLine key={item.id} item={item} />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Panel>
  );
}

function WorkLine({ item }: { item: WorkItem }) {
  const { finishWork } = useItemDone();
  return (
    <Item
      title={item.title}
      when={
        <Trans>
          changed <When at={item.updated_at} />
        </Trans>
      }
      note={item.note}
    >
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCheck size={15} />}
        onClick={() => finishWork(item)}
      >
        <Trans>Done</Trans>
      </Button>
    </Item>
  );
}
