import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Progress, Tooltip } from '@mantine/core';
import { formatShare } from '../design/format.ts';
import classes from './drift.module.css';

interface Props {
  readonly drift: number;
  /** A change counts as large if its drift is at least this. */
  readonly limit?: number;
}

/** Shows how far a change moves the meaning, from 0 (not at all) to 1. */
export function Drift({ drift, limit }: Props) {
  const isLarge = limit !== undefined && drift > 0 && drift >= limit;
  return (
    <Tooltip label={t`How far the meaning moves, from 0 (it stays) to 1 (something else)`}>
      <span className={classes.drift}>
        <Progress
          value={Math.max(2, drift * 100)}
          color={isLarge ? 'red' : 'teal'}
          size={6}
          className={classes.bar}
          aria-label={t`Drift`}
        />
        <span>
          <Trans>Drift {formatShare(drift)}</Trans>
          {drift === 0 ? t`, the meaning stays` : isLarge && t`, a large change`}
        </span>
      </span>
    </Tooltip>
  );
}
