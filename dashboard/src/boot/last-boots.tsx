import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { useAnswer } from '../api/hooks.ts';
import { formatNumber } from '../design/format.ts';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { When } from '../design/when.tsx';
import classes from './boot.module.css';

const SHOWN = 5;

/** Lists the last real boots: when, how much was read, and by which client. */
export function LastBoots() {
  const boots = useAnswer('boot', 'GET /compactions', { kind: 'boot', limit: SHOWN });
  return (
    <Panel title={t`Last boots`} hint={t`When your agent read it, and through what`}>
      <QueryResult of={boots} loading={<Skeleton height={40} />}>
        {({ moments }) =>
          moments.length === 0 ? (
            <p className={classes.description}>
              <Trans>It has not booted yet.</Trans>
            </p>
          ) : (
            <ul>
              {moments.map(({ id, at, estimated_tokens, framework }) => (
                <li key={id} className={classes.section}>
                  <span>
                    <When at={at} />
                  </span>
                  <span className={classes.entries}>
                    {framework !== null && <PlainText text={framework} />}
                  </span>
                  <span className={classes.tokens}>
                    {estimated_tokens !== null && t`${formatNumber(estimated_tokens)} tokens`}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Panel>
  );
}
