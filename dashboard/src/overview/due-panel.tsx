import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Checkbox, Skeleton, Stack } from '@mantine/core';
import { IconCalendarCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { DueItem, WorkItem } from '../agenda/agenda-data.ts';
import { DueTime } from '../agenda/due-time.tsx';
import { useItemDone } from '../agenda/use-item-done.ts';
import { Empty } from '../design/empty.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { PATHS } from '../navigation/paths.ts';
import classes from './due-panel.module.css';

const SHOWN = 4;

interface Props {
  /** Undefined while they load. */
  readonly due: readonly DueItem[] | undefined;
  readonly work: readonly WorkItem[] | undefined;
}

/** Shows what is due, the overdue first, and what the agent works on. */
export function DuePanel({ due, work }: Props) {
  return (
    <Panel
      title={t`Due and open`}
      hint={t`Dates it keeps, and work it is in`}
      action={
        <Anchor component={Link} href={PATHS.agenda} size="sm">
          <Trans>Agenda</Trans>
        </Anchor>
      }
      flush
    >
      {due === undefined || work === undefined ? <Loading /> : <Items due={due} work={work} />}
    </Panel>
  );
}

function Items({ due, work }: { due: readonly DueItem[]; work: readonly WorkItem[] }) {
  const { finishDate, finishWork } = useItemDone();
  if (due.length + work.length === 0) {
    return (
      <Empty icon={IconCalendarCheck} title={t`Nothing is due`}>
        <Trans>Your agent notes dates and open work here, and so can you.</Trans>
      </Empty>
    );
  }
  return (
    <ul className={classes.items}>
      {due.slice(0, SHOWN).map((item) => (
        <li key={item.id} className={classes.item}>
          <Checkbox
            size="sm"
            checked={false}
            onChange={() => finishDate(item)}
            label={<PlainText text={item.title} />}
          />
          <span className={classes.when}>
            <DueTime item={item} />
          </span>
        </li>
      ))}
      {work.slice(0, SHOWN).map((item) => (
        <li key={item.id} className={classes.item}>
          <Checkbox
            size="sm"
            checked={false}
            onChange={() => finishWork(item)}
            label={<PlainText text={item.title} />}
          />
          <span className={classes.when}>
            <Trans>in work</Trans>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Loading() {
  return (
    <Stack gap="md" px="lg" py="md" aria-busy="true">
      {[70, 85, 60].map((width) => (
        <Skeleton key={width} height={16} width={`${width}%`} />
      ))}
    </Stack>
  );
}
