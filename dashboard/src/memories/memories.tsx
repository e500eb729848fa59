import { SegmentedControl } from '@mantine/core';
import { Page } from '../design/page.tsx';
import { Archived } from './archived.tsx';
import { Calendar } from './calendar.tsx';
import { Filters } from './filters.tsx';
import { Found } from './found.tsx';
import { MemoryMap } from './memory-map.tsx';
import { Timeline } from './timeline.tsx';
import { useView, VIEWS } from './use-view.ts';

/** Every memory of the agent: searched, filtered, in time and on a map. */
export default function Memories() {
  const { view, change } = useView();
  return (
    <Page
      title="Memories"
      lead="Everything your agent remembers, as far as it shows you."
      action={
        <SegmentedControl
          aria-label="View"
          data={VIEWS.map(({ value, label }) => ({ value, label }))}
          value={view.show}
          onChange={(show) =>
            change({ show: VIEWS.find(({ value }) => value === show)?.value ?? 'timeline' })
          }
        />
      }
    >
      {view.show !== 'archived' && <Filters />}
      {view.show === 'map' && <MemoryMap />}
      {view.show === 'calendar' && <Calendar />}
      {view.show === 'archived' && <Archived />}
      {view.show === 'timeline' && (view.query === '' ? <Timeline /> : <Found />)}
    </Page>
  );
}
