import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AnswerOf } from '../api/call.ts';
import { useAction } from '../api/hooks.ts';
import { Confirm } from '../design/confirm.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { Quiet } from '../design/row.tsx';
import { When } from '../design/when.tsx';
import { Deliveries } from './deliveries.tsx';

type EventEndpoint = AnswerOf<'GET /event-endpoints'>['endpoints'][number];

const TOUCHES = ['endpoints'] as const;
const QUIET = { variant: 'default', size: 'xs' } as const;

interface Props {
  readonly endpoint: EventEndpoint;
  readonly showSecret: (secret: string) => void;
}

/** Shows an event endpoint and whether its deliveries succeed. */
export function EndpointPanel({ endpoint, showSecret }: Props) {
  const { id, url, events, enabled } = endpoint;
  const change = useAction('PATCH /event-endpoints/{id}', { touches: TOUCHES });
  return (
    <Panel
      title={new URL(url).host}
      hint={<PlainText text={url} />}
      action={
        <Switch
          label={t`On`}
          checked={enabled}
          disabled={change.isPending}
          onChange={({ currentTarget }) => change.mutate({ id, enabled: currentTarget.checked })}
        />
      }
    >
      <Stack gap="md">
        <Quiet>
          <Trans>Called for</Trans> {events.includes('*') ? t`everything` : events.join(', ')}
        </Quiet>
        {endpoint.disabled_reason === 'gone' && (
          <Alert color="yellow" variant="light">
            <Trans>It answered that it is gone, so it is no longer called. Switch it on to try again.</Trans>
          </Alert>
        )}
        {endpoint.failing_since && enabled && (
          <Alert color="yellow" variant="light">
            <Trans>
              Every call has failed since <When at={endpoint.failing_since} />. They are tried again for about
              three days.
            </Trans>
          </Alert>
        )}
        <Actions endpoint={endpoint} showSecret={showSecret} />
      </Stack>
    </Panel>
  );
}

/** Offers the actions on an endpoint, and shows its delivery log. */
function Actions({ endpoint: { id, enabled }, showSecret }: Props) {
  const [opened, { toggle }] = useDisclosure();
  const test = useAction('POST /event-endpoints/{id}/test', {
    touches: TOUCHES,
    done: t`A test event is on its way. The log tells how it went.`,
  });
  const rotate = useAction('POST /event-endpoints/{id}/rotate-secret', { touches: TOUCHES });
  const remove = useAction('DELETE /event-endpoints/{id}', { touches: TOUCHES, done: t`Removed.` });
  return (
    <>
      <Group gap="xs">
        <Button {...QUIET} onClick={toggle} aria-expanded={opened}>
          {opened ? t`Hide the log` : t`Delivery log`}
        </Button>
        <Button {...QUIET} loading={test.isPending} disabled={!enabled} onClick={() => test.mutate({ id })}>
          <Trans>Send a test</Trans>
        </Button>
        <Button
          {...QUIET}
          loading={rotate.isPending}
          onClick={() => rotate.mutate({ id }, { onSuccess: ({ secret }) => showSecret(secret) })}
        >
          <Trans>New secret</Trans>
        </Button>
        <Confirm
          action={t`Remove`}
          title={t`Remove this webhook`}
          pending={remove.isPending}
          confirm={() => remove.mutate({ id })}
        >
          <Trans>It is not called any more, and its delivery log goes with it.</Trans>
        </Confirm>
      </Group>
      {opened && <Deliveries endpoint={id} />}
    </>
  );
}
