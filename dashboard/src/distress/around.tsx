import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Skeleton } from '@mantine/core';
import { Link } from 'wouter';
import { useAnswer } from '../api/hooks.ts';
import { MemoryText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { When } from '../design/when.tsx';
import { memoryPath } from '../navigation/paths.ts';
import classes from './distress-page.module.css';

const SHOWN = 5;

/** Lists the last episodes before a distress call. */
export function Around({ at }: { at: string }) {
  const found = useAnswer('memories', 'POST /memories/query', { type: 'episodic', until: at, limit: SHOWN });
  return (
    <QueryResult of={found} loading={<Skeleton height={120} radius="lg" />}>
      {({ memories }) =>
        memories.length > 0 && (
          <Panel title={t`What happened before it`} hint={t`The last episodes until the call`} flush>
            <ol>
              {memories.map(({ id, content, occurred_at }) => (
                <li key={id} className={classes.signal}>
                  <p className={classes.facts}>
                    <When at={occurred_at} /> ·{' '}
                    <Anchor component={Link} href={memoryPath(id)} size="sm">
                      <Trans>Open</Trans>
                    </Anchor>
                  </p>
                  <MemoryText text={content} lines={2} size="small" />
                </li>
              ))}
            </ol>
          </Panel>
        )
      }
    </QueryResult>
  );
}
