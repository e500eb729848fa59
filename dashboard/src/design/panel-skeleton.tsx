import { Skeleton, Stack } from '@mantine/core';
import classes from './panel.module.css';

const WIDTHS = [88, 64, 79, 52, 91, 70];

/** Takes the place of a panel while it loads: a title, and so many lines of text. */
export function PanelSkeleton({ lines }: { lines: number }) {
  return (
    <div className={classes.panel} aria-busy="true">
      <Stack gap="md" p="lg">
        <Skeleton height={18} width={140} />
        {Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
          <Skeleton key={line} height={14} width={`${WIDTHS[line % WIDTHS.length]}%`} />
        ))}
      </Stack>
    </div>
  );
}
