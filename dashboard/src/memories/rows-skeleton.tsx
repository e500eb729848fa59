import { Skeleton, Stack } from '@mantine/core';

/** A list of memories before it is there. */
export function RowsSkeleton() {
  return (
    <Stack gap="lg" px="lg" py="md" aria-busy="true">
      {[70, 90, 55, 80, 65].map((width) => (
        <div key={width}>
          <Skeleton height={12} width={140} mb={8} />
          <Skeleton height={16} width={`${width}%`} />
        </div>
      ))}
    </Stack>
  );
}
