import type { ReactNode } from 'react';
import classes from './row.module.css';

interface Props {
  readonly name: ReactNode;
  /** What is said of it in small letters. */
  readonly facts?: ReactNode;
  /** What can be done with it. */
  readonly children?: ReactNode;
  /** Stands below the line. Default: nothing. */
  readonly below?: ReactNode;
  /** Whether it is over, and shown pale. Default: false. */
  readonly ended?: boolean;
}

/** One thing of a list in a `flush` panel, with what can be done with it. */
export function Row({ name, facts, children, below, ended = false }: Props) {
  return (
    <li className={classes.row} data-ended={ended}>
      <div className={classes.line}>
        <div className={classes.main}>
          <div className={classes.name}>{name}</div>
          {facts && <Quiet>{facts}</Quiet>}
        </div>
        {children}
      </div>
      {below}
    </li>
  );
}

/** A line in small pale letters. */
export function Quiet({ children }: { children: ReactNode }) {
  return <p className={classes.quiet}>{children}</p>;
}
