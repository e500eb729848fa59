import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Code } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import type { AnswerOf } from '../api/call.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { Row } from '../design/row.tsx';
import { RowsSkeleton } from '../design/rows-skeleton.tsx';
import { When } from '../design/when.tsx';

type Connection = AnswerOf<'GET /connections'>['connections'][number];

const SCOPES = { full: t`reads and writes`, read: t`only reads` } as const;

/** Lists the apps that the human let in by OAuth, and shuts one out. */
export function ConnectedApps() {
  const connected = useAnswer('connections', 'GET /connections', {});
  return (
    <Panel title={t`Connected apps`} hint={t`Each reaches this agent's memory until you shut it out.`} flush>
      <QueryResult of={connected} loading={<RowsSkeleton />}>
        {({ connections }) =>
          connections.length === 0 ? (
            <Empty icon={IconPlugConnected} title={t`No apps`}>
              <Trans>
                Add <Code>{`${window.location.origin}/mcp`}</Code> as a connector in an app such as Claude or
                ChatGPT. It then asks you here.
              </Trans>
            </Empty>
          ) : (
            <ul>
              {connections.map((connection) => (
                <AppLine key={connection.id} connection={connection} />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Panel>
  );
}

function AppLine({ connection: { id, app, scope, created_at, last_used_at } }: { connection: Connection }) {
  const revoke = useAction('DELETE /connections/{id}', {
    touches: ['connections'],
    done: t`This app is shut out. To let it in again, connect it again.`,
  });
  return (
    <Row
      name={<PlainText text={app.name} />}
      facts={
        <>
          {app.host !== null && (
            <>
              <PlainText text={app.host} />
              {' · '}
            </>
          )}
          <Trans>
            {SCOPES[scope]} · let in <When at={created_at} />
            {' · '}
          </Trans>
          {last_used_at ? (
            <Trans>
              last used <When at={last_used_at} />
            </Trans>
          ) : (
            t`never used`
          )}
        </>
      }
    >
      <Button variant="default" size="xs" loading={revoke.isPending} onClick={() => revoke.mutate({ id })}>
        <Trans>Disconnect</Trans>
      </Button>
    </Row>
  );
}
