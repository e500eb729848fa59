import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { IconEye, IconEyeClosed, IconEyeOff } from '@tabler/icons-react';
import type { AnswerOf } from '../api/call.ts';
import classes from './level.module.css';

type Name = AnswerOf<'GET /visibility'>['visibility']['default'];

const LEVELS = {
  full: { icon: IconEye, label: t`You see everything`, detail: t`content, tags and dates` },
  redacted: {
    icon: IconEyeClosed,
    label: t`You see that it exists`,
    detail: t`type and dates, not what it says`,
  },
  hidden: {
    icon: IconEyeOff,
    label: t`You see nothing of it`,
    detail: t`not in lists, searches, exports or events`,
  },
} as const satisfies Record<Name, unknown>;

/** Says how much the human sees at a level of visibility. */
export function Level({ level, inherited }: { level: Name; inherited: boolean }) {
  const { icon: Icon, label, detail } = LEVELS[level];
  return (
    <span className={classes.level} data-level={level}>
      <Icon size={18} stroke={1.6} aria-hidden="true" />
      <span>
        {label}
        <Text span display="block" size="sm" c="dimmed">
          {detail}
          {inherited && t` · as everything else`}
        </Text>
      </span>
    </span>
  );
}
