import { Skeleton, Stack } from '@mantine/core';

/** Takes the place of the rows of a panel while they load. */
export function RowsSkeleton() {
  return (
    <Stack gap="sm" px="lg" py="sm">
      <Skeleton height={40} radius="sm" />
      <Skeleton height={40} radius="sm" />
    </Stack>
  );
}
