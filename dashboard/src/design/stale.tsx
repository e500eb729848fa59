import type { ReactNode } from 'react';
import classes from './stale.module.css';

interface Props {
  readonly of: { readonly isPlaceholderData: boolean };
  readonly children: ReactNode;
}

/** Shows a part pale, and as busy, while it still answers what was asked before. */
export function Stale({ of: { isPlaceholderData }, children }: Props) {
  return (
    <div className={classes.stale} data-stale={isPlaceholderData} aria-busy={isPlaceholderData}>
      {children}
    </div>
  );
}
