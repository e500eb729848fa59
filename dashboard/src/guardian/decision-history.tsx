import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Badge, Skeleton, Stack } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { Author } from '../design/author.tsx';
import { Empty } from '../design/empty.tsx';
import { Failure } from '../design/failure.tsx';
import { MemoryText } from '../design/memory-text.tsx';
import { categoryName } from '../design/names.ts';
import { Panel } from '../design/panel.tsx';
import { ShowMore } from '../design/show-more.tsx';
import { When } from '../design/when.tsx';
import { Drift } from './drift.tsx';
import classes from './entry.module.css';
import type { ReviewEntry } from './entry.ts';
import { EntryChange } from './entry-change.tsx';
import { useEntryList } from './use-entries.ts';

const OUTCOMES: Readonly<Record<ReviewEntry['status'], { label: string; color: string }>> = {
  cooling: { label: t`Cooling`, color: 'gray' },
  waiting: { label: t`Waiting`, color: 'gray' },
  approved: { label: t`Approved`, color: 'teal' },
  rejected: { label: t`Rejected`, color: 'red' },
  applied: { label: t`Applied by time`, color: 'blue' },
  withdrawn: { label: t`Withdrawn`, color: 'gray' },
  added: { label: t`Not confirmed`, color: 'gray' },
};

/** Lists the decided changes of the agent, or of a space, newest first. */
export function DecisionHistory({ space }: { space?: string }) {
  const list = useEntryList(space);
  const [opened, setOpened] = useState<string | null>(null);
  const entries = list.data?.pages.flatMap((page) => page.entries).filter(isOver) ?? [];
  return (
    <Panel
      title={t`Decisions`}
      hint={
        space === undefined
          ? t`Every change to who your agent is, and who decided`
          : t`Every change to the core memories of the space, and who decided`
      }
      flush
    >
      {list.isPending ? (
        <Stack gap="sm" px="lg" py="sm">
          {[1, 2, 3].map((line) => (
            <Skeleton key={line} height={34} radius="sm" />
          ))}
        </Stack>
      ) : list.isError && entries.length === 0 ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : entries.length === 0 ? (
        <Empty icon={IconHistory} title={t`No decisions yet`}>
          <Trans>Decisions stay here with who made them, when, and why.</Trans>
        </Empty>
      ) : (
        <Accordion value={opened} onChange={setOpened} classNames={{ item: classes.item ?? '' }}>
          {entries.map((entry) => (
            <Accordion.Item key={entry.id} value={entry.id}>
              <Accordion.Control>
                <Line entry={entry} />
              </Accordion.Control>
              <Accordion.Panel>{opened === entry.id && <Decided entry={entry} />}</Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
      <ShowMore of={list} label={t`Show earlier ones`} />
    </Panel>
  );
}

function isOver({ status }: ReviewEntry): boolean {
  return status !== 'cooling' && status !== 'waiting' && status !== 'added';
}

function Line({ entry }: { entry: ReviewEntry }) {
  const { label, color } = OUTCOMES[entry.status];
  const fields = entry.proposed ?? entry.current;
  return (
    <span className={classes.line}>
      <Badge color={color} variant="dot" size="md" tt="none" className={classes.badge}>
        {label}
      </Badge>
      <span className={classes.words}>
        {fields && <MemoryText text={fields.content} lines={1} size="small" />}
      </span>
      <span className={classes.aside}>
        {fields && (
          <span className={classes.category}>{fields.category && categoryName(fields.category)}</span>
        )}
        <When at={entry.decided_at ?? entry.requested_at} />
      </span>
    </span>
  );
}

function Decided({ entry }: { entry: ReviewEntry }) {
  return (
    <Stack gap="sm">
      <EntryChange entry={entry} />
      {entry.reason && (
        <div className={classes.reason}>
          <span className={classes.field}>
            <Trans>Reason</Trans>
          </span>
          <MemoryText text={entry.reason} size="small" />
        </div>
      )}
      <p className={classes.trail}>
        <Trans>
          Asked for by <Author by={entry.requested_by} /> <When at={entry.requested_at} />
        </Trans>
        {entry.decided_at && (
          <>
            {' · '}
            {entry.decided_by ? (
              <Trans>
                decided by <Author by={entry.decided_by} />
              </Trans>
            ) : (
              t`decided by time`
            )}{' '}
            <When at={entry.decided_at} />
          </>
        )}
      </p>
      {entry.current !== null && (
        <span className={classes.trail}>
          <Drift drift={entry.drift} />
        </span>
      )}
    </Stack>
  );
}
