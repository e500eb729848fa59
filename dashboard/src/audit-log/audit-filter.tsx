import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Select, SimpleGrid, TextInput } from '@mantine/core';
import { LAST_DAY } from '../design/local-day.ts';
import { ACT_GROUPS } from './act-words.ts';

/** What is shown of the log; empty texts filter nothing. */
export interface Filter {
  /** A group of acts. */
  readonly act: string;
  /** Days, as the browser's field writes them. */
  readonly since: string;
  readonly until: string;
}

export const NO_FILTER: Filter = { act: '', since: '', until: '' };

/** Whether the days are in their order. They may not be for a moment, while one is typed. */
export function isInOrder({ since, until }: Filter): boolean {
  return since === '' || until === '' || since <= until;
}

interface Props {
  readonly filter: Filter;
  change(filter: Filter): void;
}

/** Chooses acts and a time. */
export function AuditFilter({ filter, change }: Props) {
  const set = (part: Partial<Filter>) => change({ ...filter, ...part });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" verticalSpacing="xs">
      <Select
        label={t`Acts`}
        placeholder={t`All acts`}
        size="xs"
        clearable
        data={ACT_GROUPS}
        value={filter.act === '' ? null : filter.act}
        onChange={(next) => set({ act: next ?? '' })}
      />
      <TextInput
        label={t`From`}
        type="date"
        size="xs"
        max={LAST_DAY}
        value={filter.since}
        onChange={({ currentTarget }) => set({ since: currentTarget.value })}
      />
      <TextInput
        label={t`To`}
        type="date"
        size="xs"
        max={LAST_DAY}
        error={!isInOrder(filter) && t`This is before the other day`}
        value={filter.until}
        onChange={({ currentTarget }) => set({ until: currentTarget.value })}
      />
      {filter !== NO_FILTER && (
        <Button size="xs" variant="subtle" style={{ alignSelf: 'end' }} onClick={() => change(NO_FILTER)}>
          <Trans>Clear</Trans>
        </Button>
      )}
    </SimpleGrid>
  );
}
