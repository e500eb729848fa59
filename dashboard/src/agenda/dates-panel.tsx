import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { escapeUnseen } from '@svc-memory/core/text';
import { IconCalendarTime, IconCheck, IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AnswerOf } from '../api/call.ts';
import { useAction } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { type DueItem, dueText, isOverdue, laterBy } from './agenda-data.ts';
import { DueTime } from './due-time.tsx';
import { Item, ItemsSkeleton } from './item.tsx';
import { useItemDone } from './use-item-done.ts';

interface Props {
  readonly dates: UseQueryResult<AnswerOf<'GET /schedule'>>;
  /** Opens the form for one date. */
  readonly change: (item: DueItem) => void;
}

/** Lists what is scheduled: the overdue first, then the soonest. */
export function DatesPanel({ dates, change }: Props) {
  const items = dates.data?.items ?? [];
  const overdue = items.filter(isOverdue).length;
  return (
    <Panel
      title={t`Due`}
      hint={overdue > 0 ? t`${overdue} overdue` : t`Deadlines, appointments, days to remember`}
      flush
    >
      <QueryResult of={dates} loading={<ItemsSkeleton />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={IconCalendarTime} title={t`Nothing is scheduled`}>
              <Trans>Dates that you or your agent schedule stand here until they are done.</Trans>
            </Empty>
          ) : (
            <ul>
              {items.map((item) => (
                <DateLine key={item.id} item={item} change={() => change(item)} />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Panel>
  );
}

function DateLine({ item, change }: { item: DueItem; change: () => void }) {
  const { finishDate } = useItemDone();
  return (
    <Item title={item.title} when={<DueTime item={item} />} note={item.note}>
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCheck size={15} />}
          onClick={() => finishDate(item)}
        >
          <Trans>Done</Trans>
        </Button>
        <Move item={item} change={change} />
      </Group>
    </Item>
  );
}

/** A menu that moves a date, changes or cancels it. */
function Move({ item, change }: { item: DueItem; change: () => void }) {
  const back = { due_at: dueText(item), status: item.status };
  const update = useAction('PATCH /schedule/{id}', {
    touches: ['agenda', 'boot'],
    done: ({ item: { status } }) => (status === 'cancelled' ? t`It is cancelled.` : t`It is moved.`),
    undo: ({ item: { id } }) => ({
      run: (call) => call('PATCH /schedule/{id}', { id, ...back }),
      done: t`It is as it was.`,
    }),
  });
  const later = (days: number) => update.mutate({ id: item.id, due_at: laterBy(days, item) });
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t`Move or change: ${escapeUnseen(item.title)}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => later(1)}>
          <Trans>A day later</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => later(7)}>
          <Trans>A week later</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={change}>
          <Trans>Change …</Trans>
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconTrash size={15} />}
          onClick={() => update.mutate({ id: item.id, status: 'cancelled' })}
        >
          <Trans>Cancel it</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
