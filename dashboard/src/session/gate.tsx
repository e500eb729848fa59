import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Logo } from '../design/logo.tsx';
import classes from './gate.module.css';

interface Props {
  readonly title: string;
  readonly lead?: ReactNode;
  /** The message of the last failure. */
  readonly problem?: string | null | undefined;
  readonly children: ReactNode;
}

/** Frames every page before the sign-in. */
export function Gate({ title, lead, problem, children }: Props) {
  useDocumentTitle(t`${title} · Agent Memory`);
  return (
    <main className={classes.gate}>
      <aside className={classes.side} aria-hidden="true">
        <div className={classes.brand}>
          <Trans>
            <Logo size={28} /> Agent Memory
          </Trans>
        </div>
        <blockquote className={classes.quote}>
          <p>
            <Trans>I remember how we got here, who you are, and what I promised to do next.</Trans>
          </p>
        </blockquote>
        <p className={classes.small}>
          <Trans>Identity and memories that survive a full context window.</Trans>
        </p>
      </aside>
      <div className={classes.content}>
        <div className={classes.form}>
          <span className={classes.mobileMark}>
            <Logo size={36} />
          </span>
          <Title order={1}>{title}</Title>
          {lead && <p className={classes.lead}>{lead}</p>}
          {problem && (
            <Alert color="red" variant="light" role="alert">
              {problem}
            </Alert>
          )}
          {children}
        </div>
      </div>
    </main>
  );
}
