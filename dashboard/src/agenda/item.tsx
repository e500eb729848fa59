import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import classes from './agenda.module.css';

interface Props {
  readonly title: string;
  /** In small letters. */
  readonly when: ReactNode;
  readonly note?: string | null;
  /** What can be done with it. */
  readonly children: ReactNode;
  /** Whether it is over, and shown pale. Default: false. */
  readonly ended?: boolean;
}

/** A date or a work in progress, in a list. */
export function Item({ title, when, note = null, children, ended = false }: Props) {
  return (
    <li className={classes.item} data-ended={ended}>
      <div className={classes.main}>
        <div className={classes.title}>
          <PlainText text={title} />
        </div>
        <div className={classes.when}>{when}</div>
        {note !== null && <MemoryText text={note} lines={3} size="small" />}
      </div>
      {children}
    </li>
  );
}

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
