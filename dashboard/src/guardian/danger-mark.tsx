import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import type { Danger } from './entry.ts';

const MARKS = {
  large: { children: t`Would make it someone else`, color: 'red', variant: 'filled' },
  meaning: { children: t`Changes what it means`, color: 'yellow', variant: 'dot' },
  harmless: { children: t`Cannot change the meaning`, color: 'teal', variant: 'dot' },
} as const satisfies Record<Danger, unknown>;

/** Names how dangerous it would be to approve a change. */
export function DangerMark({ danger, inSpace }: { danger: Danger; inSpace: boolean }) {
  const mark =
    danger === 'large' && inSpace
      ? { ...MARKS.large, children: t`Changes it from the ground up` }
      : MARKS[danger];
  return <Badge size="lg" tt="none" {...mark} />;
}
