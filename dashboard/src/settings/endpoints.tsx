import { Button, Modal, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer } from '../api/hooks.ts';
import { Secret } from '../design/copy.tsx';
import { Empty } from '../design/empty.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointPanel } from './endpoint-panel.tsx';
import { SecretDialog } from './secret-dialog.tsx';

/** Lists the event endpoints, and adds one. */
export function Endpoints() {
  const endpoints = useAnswer('endpoints', 'GET /event-endpoints', {});
  const [making, { open, close }] = useDisclosure();
  const [secret, setSecret] = useState<string>();
  const made = (value: string) => {
    close();
    setSecret(value);
  };
  const add = (
    <Button size="xs" leftSection={<IconPlus size={15} />} onClick={open}>
      New endpoint
    </Button>
  );
  return (
    <>
      <QueryResult of={endpoints} loading={<Skeleton height={140} radius="lg" />}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <Panel title="Event endpoints">
              <Empty icon={IconWebhook} title="Nobody is told" action={add}>
                An endpoint is an address that the service calls when something happens: a change waits with
                the Guardian, your agent calls for help, an import is done. Events hold ids, never what
                memories say.
              </Empty>
            </Panel>
          ) : (
            <Stack gap="lg">
              {endpoints.map((endpoint) => (
                <EndpointPanel key={endpoint.id} endpoint={endpoint} showSecret={made} />
              ))}
              <div>{add}</div>
            </Stack>
          )
        }
      </QueryResult>
      <Modal opened={making} onClose={close} title="New event endpoint">
        <EndpointForm made={made} />
      </Modal>
      <SecretDialog
        title="Its signing secret"
        opened={secret !== undefined}
        close={() => setSecret(undefined)}
      >
        {secret !== undefined && (
          <Secret text={secret} label="Copy the secret">
            Calls are signed with it by Standard Webhooks: check that before you believe one. It is shown this
            once.
          </Secret>
        )}
      </SecretDialog>
    </>
  );
}
