import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { Confirm } from '../design/confirm.tsx';
import { Empty } from '../design/empty.tsx';
import { FormDialog } from '../design/form-dialog.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { OnceDialog } from '../design/once-dialog.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { Row } from '../design/row.tsx';
import { RowsSkeleton } from '../design/rows-skeleton.tsx';
import { When } from '../design/when.tsx';
import { undoPath } from '../navigation/paths.ts';
import { NewKey } from '../session/new-key.tsx';
import { KeyForm } from './key-form.tsx';
import classes from './settings.module.css';

type ApiKey = AnswerOf<'GET /api-keys'>['api_keys'][number];

const SCOPES = { full: t`reads and writes`, read: t`only reads` } as const;

const STATUSES = { active: t`active`, expired: t`expired`, revoked: t`revoked` } as const;

/** Lists the agent's API keys, and creates one. */
export function ApiKeysPanel() {
  const keys = useAnswer('keys', 'GET /api-keys', {});
  const [making, { open, close }] = useDisclosure();
  const [secrets, setSecrets] = useState<readonly string[]>([]);
  const made = (value: string) => {
    close();
    setSecrets((before) => [...before, value]);
  };
  return (
    <Panel
      title={t`API keys`}
      hint={t`Each lets the agent, or a program in its name, in. A key is shown once, when it is made.`}
      action={
        <Button size="xs" leftSection={<IconPlus size={15} />} onClick={open}>
          <Trans>New key</Trans>
        </Button>
      }
      flush
    >
      <QueryResult of={keys} loading={<RowsSkeleton />}>
        {({ api_keys }) =>
          api_keys.length === 0 ? (
            <Empty icon={IconKey} title={t`No keys`}>
              <Trans>Without a key your agent cannot reach its memory.</Trans>
            </Empty>
          ) : (
            <ul>
              {api_keys.map((key) => (
                <KeyLine key={key.id} apiKey={key} made={made} />
              ))}
            </ul>
          )
        }
      </QueryResult>
      <FormDialog opened={making} close={close} title={t`New API key`}>
        <KeyForm made={made} />
      </FormDialog>
      <OnceDialog title={t`Your new API key`} shown={secrets} close={() => setSecrets([])}>
        {(secret) => <NewKey secret={secret} />}
      </OnceDialog>
    </Panel>
  );
}

interface KeyProps {
  readonly apiKey: ApiKey;
  readonly made: (secret: string) => void;
}

function KeyLine({ apiKey, made }: KeyProps) {
  const active = apiKey.status === 'active';
  return (
    <Row
      ended={!active}
      name={
        <>
          <PlainText text={apiKey.name} />{' '}
          <code className={classes.ending}>{`svc_…${apiKey.last_four}`}</code>{' '}
          {!active && (
            <Badge variant="dot" color="gray" tt="none" size="sm">
              {STATUSES[apiKey.status]}
            </Badge>
          )}
        </>
      }
      facts={
        <>
          <Trans>
            {SCOPES[apiKey.scope]} · made <When at={apiKey.created_at} />
            {' · '}
          </Trans>
          {apiKey.last_used_at ? (
            <>
              <Trans>
                last used <When at={apiKey.last_used_at} />
              </Trans>
              {apiKey.last_used_address && t` from ${apiKey.last_used_address}`}
            </>
          ) : (
            t`never used`
          )}
          {active && apiKey.expires_at && (
            <Trans>
              {' · '}ends <When at={apiKey.expires_at} />
            </Trans>
          )}
          {apiKey.replaced_by && t` · replaced`}
        </>
      }
    >
      <Group gap="xs">
        <Button
          component={Link}
          href={undoPath({ kind: 'agent', credential_id: apiKey.id, since: apiKey.created_at })}
          variant="subtle"
          size="xs"
        >
          <Trans>What it wrote</Trans>
        </Button>
        {active && <KeyActions apiKey={apiKey} made={made} />}
      </Group>
    </Row>
  );
}

function KeyActions({ apiKey: { id, name, replaced_by: replacement }, made }: KeyProps) {
  const rotate = useAction('POST /api-keys/{id}/rotate', { touches: ['keys'] });
  const revoke = useAction('DELETE /api-keys/{id}', {
    touches: ['keys'],
    done: t`This key opens nothing any more.`,
  });
  return (
    <>
      {!replacement && (
        <Button
          variant="default"
          size="xs"
          loading={rotate.isPending}
          onClick={() =>
            rotate.mutate({ id, overlap_hours: 24 }, { onSuccess: ({ secret }) => made(secret) })
          }
        >
          <Trans>Rotate</Trans>
        </Button>
      )}
      <Confirm
        action={t`Revoke`}
        title={t`Revoke this key`}
        pending={revoke.isPending}
        confirm={() => revoke.mutate({ id })}
      >
        <Trans>
          Whoever uses <PlainText text={name} /> is shut out at once. This cannot be taken back. To replace a
          key without a gap, rotate it: both then work for 24 hours.
        </Trans>
      </Confirm>
    </>
  );
}
