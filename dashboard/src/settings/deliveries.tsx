import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Skeleton } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { AnswerOf } from '../api/call.ts';
import { useAction, useList } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { Failure } from '../design/failure.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Quiet } from '../design/row.tsx';
import { ShowMore } from '../design/show-more.tsx';
import { When } from '../design/when.tsx';
import { serverText } from '../language/server-text.ts';
import classes from './settings.module.css';

type Delivery = AnswerOf<'GET /event-endpoints/{id}/deliveries'>['deliveries'][number];

const STATUSES = {
  pending: { label: t`On its way`, color: 'gray' },
  delivered: { label: t`Delivered`, color: 'teal' },
  dead: { label: t`Given up`, color: 'red' },
} as const;

/** Lists the deliveries to an endpoint with their outcomes. */
export function Deliveries({ endpoint }: { endpoint: string }) {
  const list = useList('endpoints', 'GET /event-endpoints/{id}/deliveries', { id: endpoint, limit: 20 });
  if (list.isPending) return <Skeleton height={90} radius="sm" />;
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries) ?? [];
  if (list.isError && deliveries.length === 0) {
    return <Failure error={list.error} retry={() => void list.refetch()} />;
  }
  if (deliveries.length === 0) {
    return (
      <Empty icon={IconSend} title={t`Nothing was sent yet`}>
        <Trans>Send a test, or wait for something to happen.</Trans>
      </Empty>
    );
  }
  return (
    <div>
      <ul>
        {deliveries.map((delivery) => (
          <Line key={delivery.id} endpoint={endpoint} delivery={delivery} />
        ))}
      </ul>
      <ShowMore of={list} label={t`Show earlier ones`} />
    </div>
  );
}

function Line({ endpoint, delivery }: { endpoint: string; delivery: Delivery }) {
  const replay = useAction('POST /event-endpoints/{id}/deliveries/{delivery_id}/replay', {
    touches: ['endpoints'],
    done: t`It is sent again.`,
  });
  const { label, color } = STATUSES[delivery.status];
  const last = delivery.attempts.at(-1);
  return (
    <li className={classes.delivery}>
      <Badge variant="dot" color={color} tt="none">
        {label}
      </Badge>
      <div className={classes.main}>
        <code className={classes.code}>{delivery.type}</code>
        <Quiet>
          <When at={delivery.created_at} />
          {last && (
            <>
              {' · '}
              {last.status_code === null ? (
                <PlainText text={last.error === null ? t`no answer` : serverText(last.error)} />
              ) : (
                t`answered ${last.status_code} in ${last.ms} ms`
              )}
              {delivery.attempts.length > 1 && t` · ${delivery.attempts.length} attempts`}
            </>
          )}
          {delivery.status === 'pending' && delivery.next_attempt_at && (
            <Trans>
              {' · '}next try <When at={delivery.next_attempt_at} />
            </Trans>
          )}
        </Quiet>
      </div>
      <Button
        variant="subtle"
        size="xs"
        loading={replay.isPending}
        onClick={() => replay.mutate({ id: endpoint, delivery_id: delivery.id })}
      >
        <Trans>Send again</Trans>
      </Button>
    </li>
  );
}
