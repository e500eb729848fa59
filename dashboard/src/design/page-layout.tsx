import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page-layout.module.css';
import { usePageTitle } from './page-title.ts';

interface Props {
  readonly title: string;
  /** One sentence that says what the page is for. */
  readonly lead?: ReactNode;
  /** Shown at the end of the title's line. */
  readonly action?: ReactNode;
  /** Uses the whole width of the window. Default: false. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** Lays out a page: its title, then its parts below each other. Also sets the title of the browser's tab. */
export function PageLayout({ title, lead, action, wide = false, children }: Props) {
  usePageTitle(title);
  return (
    <div className={classes.page} data-wide={wide} data-in-order="always">
      <header className={classes.header}>
        <div className={classes.words}>
          <Title order={1}>{title}</Title>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}
