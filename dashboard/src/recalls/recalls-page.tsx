import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { Link, useSearchParams } from 'wouter';
import { useAnswer, useList } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { Failure } from '../design/failure.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { PanelSkeleton } from '../design/panel-skeleton.tsx';
import { ShowMore } from '../design/show-more.tsx';
import { PATHS } from '../navigation/paths.ts';
import { RecallEntry } from './recall-entry.tsx';

const PAGE = 25;

/** Lists what was asked of the memory lately: by whom, what came back, how long it took, and why. */
export default function RecallsPage() {
  const [search] = useSearchParams();
  const user = search.get('user') ?? undefined;
  const log = useList('recalls', 'GET /recalls', {
    limit: PAGE,
    ...(user !== undefined && { user_id: user }),
  });
  const keys = useAnswer('keys', 'GET /api-keys', {}, { staleTime: 5 * 60_000 });
  const names = new Map(keys.data?.api_keys.map(({ id, name }) => [id, name]));
  const recalls = log.data?.pages.flatMap((page) => page.recalls) ?? [];
  return (
    <PageLayout
      title={t`Recalls`}
      lead={
        user === undefined ? (
          t`What was asked of the memory over the last days, and what came back. While your agent withholds anything, you see your own questions only.`
        ) : (
          <Trans>
            What was asked for the user <PlainText text={user} /> over the last days, and what came back.{' '}
            <Anchor component={Link} href={PATHS.recalls} size="sm" underline="always">
              All that was asked for the agent itself
            </Anchor>
          </Trans>
        )
      }
    >
      {log.isPending || keys.isPending ? (
        <PanelSkeleton lines={8} />
      ) : log.isError && recalls.length === 0 ? (
        <Failure error={log.error} retry={() => void log.refetch()} />
      ) : recalls.length === 0 ? (
        <Panel>
          <Empty icon={IconListSearch} title={t`Nothing was asked yet`}>
            <Trans>Each recall of your agent, and each search of yours, stands here for some days.</Trans>
          </Empty>
        </Panel>
      ) : (
        <Panel flush>
          {recalls.map((recall) => (
            <RecallEntry
              key={recall.id}
              recall={recall}
              user={user}
              keyName={names.get(recall.source.credential_id ?? '')}
            />
          ))}
        </Panel>
      )}
      <ShowMore of={log} label={t`Earlier ones`} />
    </PageLayout>
  );
}
