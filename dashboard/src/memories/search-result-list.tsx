import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Divider } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { Fragment } from 'react';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { Stale } from '../design/stale.tsx';
import { Browse } from './browse.tsx';
import { MemoryListItem, MemoryListSkeleton } from './memory-list-item.tsx';
import { filtersOf, useView } from './use-view.ts';

type Recalled = AnswerOf<'POST /memories/recall'>['results'][number];

const MOST = 40;
/** The service's default threshold. At or above it a memory probably answers the query. */
const PROBABLE = 0.5;
/** Below this a memory has nothing to do with the query. */
const POSSIBLE = 0.05;

/** Lists what the agent would recall for the query, best first. */
export function SearchResultList() {
  const { view } = useView();
  const found = useAnswer(
    'memories',
    'POST /memories/recall',
    {
      query: view.query,
      threshold: POSSIBLE,
      limit: MOST,
      ...(view.type && { types: [view.type] }),
      ...filtersOf(view),
    },
    { keepPrevious: true, staleTime: 60_000 },
  );
  return (
    <QueryResult of={found} loading={<Loading />}>
      {({ results, degraded }) =>
        // That nothing was found says nothing of what is asked now.
        found.isPlaceholderData && results.length === 0 ? (
          <Loading />
        ) : (
          <Stale of={found}>
            <Browse memories={results}>
              <Panel flush>
                <Results results={results} degraded={degraded === true} query={view.query} />
              </Panel>
            </Browse>
          </Stale>
        )
      }
    </QueryResult>
  );
}

function Loading() {
  return (
    <Panel flush>
      <MemoryListSkeleton />
    </Panel>
  );
}

interface ResultsProps {
  readonly results: readonly Recalled[];
  readonly degraded: boolean;
  readonly query: string;
}

function Results({ results, degraded, query }: ResultsProps) {
  if (results.length === 0) {
    return (
      <Empty icon={IconSearchOff} title={t`Nothing like that`}>
        <Trans>The agent remembers nothing with these words or this meaning, as far as it shows you.</Trans>
      </Empty>
    );
  }
  const probable = results.filter(({ similarity }) => similarity >= PROBABLE);
  const others = results.filter(({ similarity }) => similarity < PROBABLE);
  return (
    <div aria-live="polite">
      {degraded && (
        <Divider
          label={t`The embedder is away: only words are compared`}
          labelPosition="left"
          mx="lg"
          my="xs"
        />
      )}
      {/* One list: a row that a later answer moves over the divider stays the same row and keeps the focus. */}
      {[...probable, ...others].map(({ similarity, passage, ...memory }, index) => (
        <Fragment key={memory.id}>
          {index === probable.length && (
            <Divider
              label={probable.length === 0 ? t`Nothing sure, but perhaps` : t`Less likely`}
              labelPosition="left"
              mx="lg"
              my="xs"
            />
          )}
          <MemoryListItem memory={memory} similarity={similarity} query={query} passage={passage?.text} />
        </Fragment>
      ))}
    </div>
  );
}
