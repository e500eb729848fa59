import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer } from '../api/hooks.ts';
import { Secret } from '../design/copy.tsx';
import { Empty } from '../design/empty.tsx';
import { FormDialog } from '../design/form-dialog.tsx';
import { OnceDialog } from '../design/once-dialog.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointPanel } from './endpoint-panel.tsx';

/** Lists the event endpoints, and adds one. */
export function Endpoints() {
  const endpoints = useAnswer('endpoints', 'GET /event-endpoints', {});
  const [making, { open, close }] = useDisclosure();
  const [secrets, setSecrets] = useState<readonly string[]>([]);
  const made = (value: string) => {
    close();
    setSecrets((before) => [...before, value]);
  };
  const add = (
    <Button size="xs" leftSection={<IconPlus size={15} />} onClick={open}>
      <Trans>New webhook</Trans>
    </Button>
  );
  return (
    <>
      <QueryResult of={endpoints} loading={<Skeleton height={140} radius="lg" />}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <Panel title={t`Webhooks`}>
              <Empty icon={IconWebhook} title={t`Nobody is told`} action={add}>
                <Trans>
                  A webhook is an address that the service calls when something happens: a change waits with
                  the Guardian, your agent calls for help, an import is done. Events hold ids, never what
                  memories say.
                </Trans>
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
      <FormDialog opened={making} close={close} title={t`New webhook`}>
        <EndpointForm made={made} />
      </FormDialog>
      <OnceDialog title={t`Its signing secret`} shown={secrets} close={() => setSecrets([])}>
        {(secret) => (
          <Secret text={secret} label={t`Copy the secret`}>
            <Trans>
              Calls are signed with it by Standard Webhooks: check that before you believe one. It is shown
              this once.
            </Trans>
          </Secret>
        )}
      </OnceDialog>
    </>
  );
}
