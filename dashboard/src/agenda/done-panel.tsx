import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useAction, useAnswer } from '../api/hooks.ts';
import { Panel } from '../design/panel.tsx';
import { When } from '../design/when.tsx';
import { Item } from './item.tsx';

const SHOWN = 20;
const TOUCHES = ['agenda', 'boot'] as const;

interface Ended {
  readonly id: string;
  readonly title: string;
  readonly updated_at: string;
  readonly what: string;
  reopen(): void;
}

/** Lists what was done or cancelled lately, and takes it up again. Shows nothing where there is nothing. */
export function DonePanel() {
  const dates = useAnswer('agenda', 'GET /schedule', { status: 'done', limit: 100 });
  const cancelled = useAnswer('agenda', 'GET /schedule', { status: 'cancelled', limit: 100 });
  const work = useAnswer('agenda', 'GET /wip', { status: 'done', limit: SHOWN });
  const date = useAction('PATCH /schedule/{id}', { touches: TOUCHES, done: t`It is scheduled again.` });
  const wip = useAction('PATCH /wip/{id}', { touches: TOUCHES, done: t`It is open again.` });
  const ended: Ended[] = [
    ...[...(dates.data?.items ?? []), ...(cancelled.data?.items ?? [])].map((item) => ({
      ...item,
      what: item.status === 'cancelled' ? t`cancelled` : t`done`,
      reopen: () => date.mutate({ id: item.id, status: 'scheduled' }),
    })),
    ...(work.data?.items ?? []).map((item) => ({
      ...item,
      what: t`done`,
      reopen: () => wip.mutate({ id: item.id, status: 'open' }),
    })),
  ];
  if (ended.length === 0) return null;
  ended.sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
  return (
    <Panel title={t`Done`} hint={t`Your agent is not reminded of it any more`} flush>
      <ul>
        {ended.slice(0, SHOWN).map(({ id, title, updated_at, what, reopen }) => (
          <Item
            key={id}
            title={title}
            when={
              <>
                {what} <When at={updated_at} />
              </>
            }
            ended
          >
            <Button size="xs" variant="subtle" onClick={reopen}>
              <Trans>Take up again</Trans>
            </Button>
          </Item>
        ))}
      </ul>
    </Panel>
  );
}
