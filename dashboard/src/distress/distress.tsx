import { Skeleton } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import type { Answer } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { Answered } from '../design/answered.tsx';
import { Empty } from '../design/empty.tsx';
import { MemoryText } from '../design/memory-text.tsx';
import { Page } from '../design/page.tsx';
import { Panel } from '../design/panel.tsx';
import { When } from '../design/when.tsx';
import { DistressBanner } from '../overview/distress-banner.tsx';
import classes from './distress.module.css';

type Signal = Answer<'GET /distress'>['signals'][number];

/** Calls for help: the open one, and those before. */
export default function Distress() {
  const signals = useAnswer('distress', 'GET /distress', { limit: 100 });
  return (
    <Page
      title="Distress"
      lead="When your agent does not know what to do, or is asked for what it should not do, it can call for you. Only you can tell it that you have heard."
    >
      <Answered of={signals} loading={<Skeleton height={220} radius="lg" />}>
        {({ open, signals }) => (
          <>
            {open && <DistressBanner signal={open} />}
            <Before
              signals={signals.filter(({ status }) => status === 'acknowledged')}
              open={open !== null}
            />
          </>
        )}
      </Answered>
    </Page>
  );
}

function Before({ signals, open }: { signals: readonly Signal[]; open: boolean }) {
  if (signals.length === 0) {
    return (
      <Panel>
        <Empty icon={IconLifebuoy} title={open ? 'No other calls' : 'Your agent has not called for help'}>
          If it does, you see it here and on every overview, and get a mail where the service can send one.
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel title="Before" hint="What your agent called for, and when you heard it" flush>
      <ol className={classes.signals}>
        {signals.map((signal) => (
          <li key={signal.id} className={classes.signal}>
            <p className={classes.facts}>
              Called <When at={signal.opened_at} />
              {signal.acknowledged_at && (
                <>
                  {' · '}
                  {signal.acknowledged_by?.kind === 'human' ? 'heard by you' : 'acknowledged with an API key'}{' '}
                  <When at={signal.acknowledged_at} />
                </>
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
