import { Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './page.module.css';

interface Props {
  readonly title: string;
  /** What this page is for, in a sentence. */
  readonly lead?: ReactNode;
  /** Stands at the end of the title's line. */
  readonly action?: ReactNode;
  /** Takes the whole width, for maps and long lists. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** One page: its title, which the browser shows too, and its parts below each other. */
export function Page({ title, lead, action, wide = false, children }: Props) {
  useDocumentTitle(`${title} · Agent Memory`);
  return (
    <div className={classes.page} data-wide={wide}>
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
