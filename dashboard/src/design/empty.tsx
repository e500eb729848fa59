import { Text, ThemeIcon } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './empty.module.css';

interface Props {
  readonly icon: TablerIcon;
  readonly title: string;
  /** Says why there is nothing, and what would change that. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Shows that there is nothing, and why. */
export function Empty({ icon: Icon, title, children, action }: Props) {
  return (
    <div className={classes.empty}>
      <ThemeIcon variant="light" color="iris" size={44} radius="xl">
        <Icon size={22} stroke={1.6} />
      </ThemeIcon>
      <Text fw={600}>{title}</Text>
      {children && (
        <Text size="sm" c="dimmed" component="div" className={classes.words}>
          {children}
        </Text>
      )}
      {action}
    </div>
  );
}
