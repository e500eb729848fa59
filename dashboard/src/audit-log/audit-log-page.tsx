import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconFileDownload, IconListCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer, useDownload, useList } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { Failure } from '../design/failure.tsx';
import { endOfLocalDay, isDay, startOfLocalDay } from '../design/local-day.ts';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { PanelSkeleton } from '../design/panel-skeleton.tsx';
import { ShowMore } from '../design/show-more.tsx';
import { ActLine } from './act-line.tsx';
import { AuditFilter, type Filter, isInOrder, NO_FILTER } from './audit-filter.tsx';
import classes from './audit-log.module.css';
import { VerdictPanel } from './verdict-panel.tsx';

const PAGE = 50;

/** Lists who did what that matters for security, and whether the list is as it was written. */
export default function AuditLogPage() {
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const log = useList('audit', 'GET /audit-log', { limit: PAGE, ...asked(filter) });
  const keys = useAnswer('keys', 'GET /api-keys', {}, { staleTime: 5 * 60_000 });
  const names = new Map(keys.data?.api_keys.map(({ id, name }) => [id, name]));
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <PageLayout
      title={t`Audit log`}
      lead={t`Who did what that matters for security. Each entry is sealed with the one before it, so that none can be changed or taken out unseen. It holds ids, never content.`}
      action={<ExportButton />}
    >
      <VerdictPanel />
      <AuditFilter filter={filter} change={setFilter} />
      {log.isPending || keys.isPending ? (
        <PanelSkeleton lines={8} />
      ) : log.isError && entries.length === 0 ? (
        <Failure error={log.error} retry={() => void log.refetch()} />
      ) : entries.length === 0 ? (
        <Panel>
          <Empty icon={IconListCheck} title={t`Nothing of this kind`}>
            {filter === NO_FILTER
              ? t`Sign-ins, keys, decisions and changed settings stand here as they happen.`
              : t`Choose other acts or another time.`}
          </Empty>
        </Panel>
      ) : (
        <Panel flush>
          <ol aria-label={t`Acts, newest first`} className={classes.list}>
            {entries.map((entry) => (
              <ActLine key={entry.sequence} entry={entry} keyName={names.get(entry.by.credential_id ?? '')} />
            ))}
          </ol>
        </Panel>
      )}
      <ShowMore of={log} label={t`Earlier ones`} />
    </PageLayout>
  );
}

/** Returns the filter in the form of the service's input. Days that are the wrong way round narrow nothing. */
function asked(filter: Filter) {
  const { act, since, until } = filter;
  return {
    ...(act && { act }),
    ...(isInOrder(filter) && isDay(since) && { since: startOfLocalDay(since) }),
    ...(isInOrder(filter) && isDay(until) && { until: endOfLocalDay(until) }),
  };
}

const FILE = { path: '/audit-log/export?format=ndjson', name: 'audit-log', extension: 'ndjson' };

/** Downloads the log as a file with one entry a line. */
function ExportButton() {
  const download = useDownload();
  return (
    <Button
      variant="default"
      leftSection={<IconFileDownload size={17} />}
      loading={download.isPending}
      onClick={() => download.mutate(FILE)}
    >
      <Trans>Export</Trans>
    </Button>
  );
}
