import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { explain } from '../api/error.ts';

interface Props {
  readonly of: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
  readonly label: string;
  /** Reads on. Default: by one page. */
  readonly readOn?: () => void;
}

/** The end of a list that has more: reads on, and says why that did not work. */
export function ShowMore({
  of: list,
  label,
  readOn = () => void list.fetchNextPage({ cancelRefetch: false }),
}: Props) {
  if (!list.hasNextPage) return null;
  return (
    <Stack align="center" gap="xs" py="sm">
      {list.isFetchNextPageError && (
        <Text size="sm" c="red" role="alert">
          {explain(list.error)}
        </Text>
      )}
      <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={readOn}>
        {list.isFetchNextPageError ? t`Try again` : label}
      </Button>
    </Stack>
  );
}
