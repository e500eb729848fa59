import { t } from '@lingui/core/macro';
import { SegmentedControl, Skeleton } from '@mantine/core';
import { PageLayout } from '../design/page-layout.tsx';
import { useSpaces } from '../design/space-name.tsx';
import { Archived } from './archived.tsx';
import { Calendar } from './calendar.tsx';
import { MemoryFilters } from './memory-filters.tsx';
import { MemoryMap } from './memory-map.tsx';
import { SearchResultList } from './search-result-list.tsx';
import { Timeline } from './timeline.tsx';
import { useView, VIEWS } from './use-view.ts';

/** Shows the agent's memories as a timeline, a calendar, a map or search results. */
export default function MemoriesPage() {
  const { view, change } = useView();
  // Whether there is a space to choose: the field would push down what is below.
  const { isPending } = useSpaces();
  return (
    <PageLayout
      title={t`Memories`}
      lead={t`Everything your agent remembers, as far as it shows you.`}
      wide
      action={
        <SegmentedControl
          aria-label={t`View`}
          data={VIEWS.map(({ value, label }) => ({ value, label }))}
          value={view.show}
          onChange={(show) => change({ show: VIEWS.find(({ value }) => value === show)?.value })}
        />
      }
    >
      {view.show !== 'archived' && <MemoryFilters />}
      {(view.show === 'map' || view.show === 'calendar') && isPending && <Skeleton height={0} />}
      {view.show === 'map' && <MemoryMap />}
      {view.show === 'calendar' && <Calendar />}
      {view.show === 'archived' && <Archived />}
      {view.show === 'timeline' && (view.query === '' ? <Timeline /> : <SearchResultList />)}
    </PageLayout>
  );
}
