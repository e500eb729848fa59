import { Skeleton, Stack } from '@mantine/core';

/** Takes the place of a list of dates or works while it loads. */
export function ItemsSkeleton() {
  return (
    <Stack gap="lg" px="lg" py="md" aria-busy="true">
      {[45, 60, 35].map((width) => (
        <div key={width}>
          <Skeleton height={16} width={`${width}%`} mb={8} />
          <Skeleton height={12} width={110} />
        </div>
      ))}
    </Stack>
  );
}
