import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { MemoryText } from '../design/memory-text.tsx';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { When } from '../design/when.tsx';
import { Around } from './around.tsx';
import { DistressBanner } from './distress-banner.tsx';
import classes from './distress-page.module.css';

type Signal = AnswerOf<'GET /distress'>['signals'][number];

/** Shows the open distress call, and those before. */
export default function DistressPage() {
  const signals = useAnswer('distress', 'GET /distress', { limit: 100 });
  return (
    <PageLayout
      title={t`Distress`}
      lead={t`When your agent does not know what to do, or is asked for what it should not do, it can call for you. An API key can end a call for the agent; here it stands until you say that you have heard it.`}
    >
      <QueryResult of={signals} loading={<Skeleton height={220} radius="lg" />}>
        {({ unheard, signals }) => (
          <>
            {unheard[0] && <DistressBanner signal={unheard[0]} />}
            {unheard[0] && <Around at={unheard[0].opened_at} />}
            <Before signals={signals.filter(({ id }) => id !== unheard[0]?.id)} open={unheard.length > 0} />
          </>
        )}
      </QueryResult>
    </PageLayout>
  );
}

function Before({ signals, open }: { signals: readonly Signal[]; open: boolean }) {
  if (signals.length === 0) {
    return (
      <Panel>
        <Empty
          icon={IconLifebuoy}
          title={open ? t`It had not called before` : t`Your agent has not called for help`}
        >
          {open
            ? t`Once you have heard this call, it stays here with the time.`
            : t`If your agent calls, you see it here and on every overview, and get a mail where the service can send one.`}
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel title={t`Before`} hint={t`What your agent called for, and when you heard it`} flush>
      <ol>
        {signals.map((signal) => (
          <li key={signal.id} className={classes.signal}>
            <p className={classes.facts}>
              <Trans>
                Called <When at={signal.opened_at} />
              </Trans>
              {signal.acknowledged_at && signal.acknowledged_by?.kind !== 'human' && (
                <>
                  {t` · acknowledged with an API key `}
                  <When at={signal.acknowledged_at} />
                </>
              )}
              {' · '}
              {signal.heard_at ? (
                <>
                  {t`heard by you `}
                  <When at={signal.heard_at} />
                </>
              ) : (
                t`not yet heard by you`
              )}
            </p>
            {signal.messages.map(({ context, at }) => (
              <MemoryText key={at + context.slice(0, 40)} text={context} size="small" />
            ))}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
