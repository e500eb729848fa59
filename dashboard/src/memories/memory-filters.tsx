import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Chip, Group, Pill, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { PlainText } from '../design/memory-text.tsx';
import { categoryName, TYPE_NAMES } from '../design/names.ts';
import { SpaceName } from '../design/space-name.tsx';
import { TYPES } from '../design/type-mark.tsx';
import { FilterFields, SpaceField } from './filter-fields.tsx';
import classes from './memory-filters.module.css';
import { SavedViews } from './saved-views.tsx';
import { SearchField } from './search-field.tsx';
import {
  FILTER_NAMES,
  type FilterName,
  filtersInForce,
  NO_FILTERS,
  ORDERS,
  OWN,
  useView,
  WRITER_OPTIONS,
} from './use-view.ts';

/** The search field, the filters and the order of the list. They stay from view to view. */
export function MemoryFilters() {
  const { view, change } = useView();
  const [opened, { toggle }] = useDisclosure();
  const { show, type, order, query } = view;
  return (
    <search className={classes.filters}>
      <SearchField />
      <Group gap="sm" align="center">
        <Chip.Group
          value={type ?? 'all'}
          onChange={(next) => change({ type: TYPES.find((one) => one === next), category: undefined })}
        >
          <Group gap={6} role="group" aria-label={t`Type`}>
            <Chip value="all" size="sm">
              <Trans>All</Trans>
            </Chip>
            {TYPES.map((one) => (
              <Chip key={one} value={one} size="sm">
                {TYPE_NAMES[one]}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        {show === 'timeline' && (
          <>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconAdjustmentsHorizontal size={15} />}
              aria-expanded={opened}
              onClick={toggle}
            >
              <Trans>Filters</Trans>
            </Button>
            {query === '' && (
              <Select
                aria-label={t`Order`}
                size="xs"
                w={190}
                allowDeselect={false}
                data={ORDERS.map(({ value, label }) => ({ value, label }))}
                value={order}
                onChange={(next) => change({ order: ORDERS.find(({ value }) => value === next)?.value })}
              />
            )}
            <SavedViews />
          </>
        )}
        {(show === 'calendar' || show === 'map') && <SpaceField aria-label={t`Space`} />}
      </Group>
      {show === 'timeline' && opened && <FilterFields />}
      <ActiveFilters />
    </search>
  );
}

/** Lists the filters that are set, each with a button that takes it out. */
function ActiveFilters() {
  const { view, change } = useView();
  // The calendar and the map count and place all of a type and a space; the other filters narrow what a search finds there.
  const narrowsAll = view.show === 'timeline' || view.query !== '';
  const set = filtersInForce(view).filter((name) => (narrowsAll ? name !== 'type' : name === 'space'));
  if (set.length === 0) return null;
  return (
    <Group gap="xs">
      {set.map((name) => (
        <Pill
          key={name}
          withRemoveButton
          removeButtonProps={{
            'aria-label': t`Remove the filter ${FILTER_NAMES[name]}`,
            tabIndex: 0,
            'aria-hidden': false,
          }}
          onRemove={() => change({ [name]: undefined })}
          className={classes.pill}
        >
          {FILTER_NAMES[name]}:{' '}
          {name === 'space' && view.space !== OWN ? (
            <SpaceName id={view.space} />
          ) : (
            <PlainText text={said(name, view[name] ?? '')} />
          )}
        </Pill>
      ))}
      <Button variant="subtle" size="compact-sm" onClick={() => change(NO_FILTERS)}>
        <Trans>Clear</Trans>
      </Button>
    </Group>
  );
}

function said(name: FilterName, value: string): string {
  if (name === 'source') return WRITER_OPTIONS.find((source) => source.value === value)?.label ?? value;
  if (name === 'space') return t`its own`;
  if (name === 'category') return categoryName(value);
  return name === 'importance' ? t`at least ${value}` : value;
}
