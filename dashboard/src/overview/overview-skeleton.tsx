import { Group, Skeleton } from '@mantine/core';
import classes from './overview.module.css';

/** The overview before it is there. */
export function OverviewSkeleton() {
  return (
    <div className={classes.page} aria-busy="true">
      <Group gap="lg" pb="sm">
        <Skeleton circle height={84} />
        <div>
          <Skeleton height={30} width={180} mb="sm" />
          <Skeleton height={16} width={260} />
        </div>
      </Group>
      <Skeleton height={128} radius="lg" />
      <div className={classes.columns}>
        <Skeleton height={380} radius="lg" />
        <Skeleton height={380} radius="lg" />
      </div>
    </div>
  );
}
