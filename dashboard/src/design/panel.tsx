import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './panel.module.css';

interface Props {
  readonly title?: string;
  /** A line in small letters under the title. */
  readonly hint?: ReactNode;
  /** Shown at the end of the title's line. */
  readonly action?: ReactNode;
  /** Removes the padding, for lists that reach the edges. Default: false. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A part of a page, with a title. */
export function Panel({ title, hint, action, flush = false, children }: Props) {
  return (
    <section className={classes.panel} data-flush={flush}>
      {(title !== undefined || action) && (
        <header className={classes.header}>
          <div className={classes.words}>
            {title !== undefined && <Title order={2}>{title}</Title>}
            {hint && <p className={classes.hint}>{hint}</p>}
          </div>
          {action && <div className={classes.action}>{action}</div>}
        </header>
      )}
      <div className={classes.body}>{children}</div>
    </section>
  );
}
