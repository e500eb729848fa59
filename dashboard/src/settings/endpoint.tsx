import { Alert, Button, Group, Stack, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Answer } from '../api/call.ts';
import { useAction } from '../api/hooks.ts';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { When } from '../design/when.tsx';
import { Confirm } from './confirm.tsx';
import { Deliveries } from './deliveries.tsx';
import classes from './settings.module.css';

type EventEndpoint = Answer<'GET /event-endpoints'>['endpoints'][number];

interface Props {
  readonly endpoint: EventEndpoint;
  readonly showSecret: (secret: string) => void;
}

/** One address that is called, and how that goes. */
export function Endpoint({ endpoint, showSecret }: Props) {
  const { id, url, events, enabled } = endpoint;
  const [opened, { toggle }] = useDisclosure();
  const touches = ['endpoints'] as const;
  const change = useAction('PATCH /event-endpoints/{id}', { touches });
  const test = useAction('POST /event-endpoints/{id}/test', {
    touches,
    done: 'A test event is on its way. The log tells how it went.',
  });
  const rotate = useAction('POST /event-endpoints/{id}/rotate-secret', { touches });
  const remove = useAction('DELETE /event-endpoints/{id}', { touches, done: 'Removed.' });
  return (
    <Panel
      title={new URL(url).host}
      hint={<PlainText text={url} />}
      action={
        <Switch
          label="On"
          checked={enabled}
          disabled={change.isPending}
          onChange={({ currentTarget }) => change.mutate({ id, enabled: currentTarget.checked })}
        />
      }
    >
      <Stack gap="md">
        <p className={classes.quiet}>Called for {events.includes('*') ? 'everything' : events.join(', ')}</p>
        {endpoint.disabled_reason === 'gone' && (
          <Alert color="yellow" variant="light">
            It answered that it is gone, so it is no longer called. Switch it on to try again.
          </Alert>
        )}
        {endpoint.failing_since && enabled && (
          <Alert color="yellow" variant="light">
            Every call has failed since <When at={endpoint.failing_since} />. They are tried again for about
            three days.
          </Alert>
        )}
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={toggle} aria-expanded={opened}>
            {opened ? 'Hide the log' : 'Delivery log'}
          </Button>
          <Button
            variant="default"
            size="xs"
            loading={test.isPending}
            disabled={!enabled}
            onClick={() => test.mutate({ id })}
          >
            Send a test
          </Button>
          <Button
            variant="default"
            size="xs"
            loading={rotate.isPending}
            onClick={() => rotate.mutate({ id }, { onSuccess: ({ secret }) => showSecret(secret) })}
          >
            New secret
          </Button>
          <Confirm
            action="Remove"
            title="Remove this endpoint"
            pending={remove.isPending}
            confirm={() => remove.mutate({ id })}
          >
            It is not called any more, and its delivery log goes with it.
          </Confirm>
        </Group>
        {opened && <Deliveries endpoint={id} />}
      </Stack>
    </Panel>
  );
}
