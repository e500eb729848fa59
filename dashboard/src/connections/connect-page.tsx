import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, NativeSelect, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnected } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useAgent } from '../api/agent.tsx';
import type { AnswerOf, RequestOf } from '../api/call.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { CopyField } from '../design/copy.tsx';
import { Empty } from '../design/empty.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { readAuthorizationRequest } from './authorization-request.ts';

type Request = RequestOf<'POST /connections/request'>;
type Authorization = AnswerOf<'POST /connections/request'>;

/** Asks the human whether an app may reach their agent's memory (OAuth 2.1). */
export default function ConnectPage() {
  const request = useMemo(() => readAuthorizationRequest(window.location.search), []);
  return (
    <PageLayout title={t`Connect an app`} lead={t`An app asks to reach your agent's memory. You decide.`}>
      {request ? (
        <Asked request={request} />
      ) : (
        <Panel>
          <Empty
            icon={IconPlugConnected}
            title={t`No app asks for anything here`}
            action={<CopyField text={`${window.location.origin}/mcp`} label={t`Copy the address`} />}
          >
            <Trans>
              Add this service in the app that shall reach your agent's memory, by the address of its MCP
              endpoint. The app then sends you here.
            </Trans>
          </Empty>
        </Panel>
      )}
    </PageLayout>
  );
}

function Asked({ request }: { request: Request }) {
  const authorization = useAnswer('connections', 'POST /connections/request', request, {
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Panel>
      <QueryResult of={authorization} loading={<Skeleton height={220} radius="sm" />}>
        {(asked) =>
          asked.problem === undefined ? <Decide request={request} asked={asked} /> : <Wrong asked={asked} />
        }
      </QueryResult>
    </Panel>
  );
}

/** The app has made a mistake: there is nothing to allow, and only the human sends the browser back. */
function Wrong({ asked }: { asked: Authorization }) {
  return (
    <Stack gap="md">
      <Who asked={asked} />
      <Alert color="red" variant="light" role="alert" title={t`This app asks in a way that is not safe`}>
        <Trans>{asked.problem}. Tell its makers.</Trans>
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => window.location.assign(asked.decline_url)}>
          <Trans>Go back to the app</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

function Decide({ request, asked }: { request: Request; asked: Authorization }) {
  const [grant, setGrant] = useState(asked.scope);
  const approve = useAction('POST /connections', { touches: ['connections'] });
  const isLeaving = approve.isPending || approve.isSuccess;
  return (
    <Stack gap="lg">
      <Who asked={asked} />
      <ChooseAgent />
      <Radio.Group
        label={t`It may`}
        value={grant}
        onChange={(value) => setGrant(value === 'full' ? 'full' : 'read')}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="read"
            label={t`Only read`}
            description={t`See who the agent is and what it remembers, and search it`}
          />
          {asked.scope === 'full' && (
            <Radio
              value="full"
              label={t`Read and write`}
              description={t`Also remember, change and forget in the agent's name. What would change who the agent is still waits for you`}
            />
          )}
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        <Trans>You can shut it out at any time, in the settings under Apps.</Trans>
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button
          variant="default"
          disabled={isLeaving}
          onClick={() => window.location.assign(asked.decline_url)}
        >
          <Trans>No</Trans>
        </Button>
        <Button
          loading={isLeaving}
          onClick={() =>
            approve.mutate(
              { ...request, grant },
              { onSuccess: ({ redirect_url }) => window.location.assign(redirect_url) },
            )
          }
        >
          <Trans>Let it in</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

/** Who asks, as far as it can be known, and where the browser goes next. */
function Who({ asked: { app, redirect_host, redirect_is_local } }: { asked: Authorization }) {
  return (
    <Stack gap="sm">
      <Text size="lg">
        {app.host === null ? (
          <Trans>
            An app that calls itself{' '}
            <strong>
              “<PlainText text={app.name} />”
            </strong>
          </Trans>
        ) : (
          <Trans>
            <strong>
              <PlainText text={app.host} />
            </strong>{' '}
            calls its app “<PlainText text={app.name} />”
          </Trans>
        )}
      </Text>
      <Text>
        {t`You will be sent to `}
        <strong>
          <PlainText text={redirect_host} />
        </strong>
        {redirect_is_local && t`, a program on your own machine`}.
      </Text>
      {(app.host === null || redirect_is_local) && (
        <Alert variant="light" color="yellow" icon={<IconAlertTriangle size={18} />}>
          {redirect_is_local
            ? t`Any program on your machine can pass itself off as this one. Go on only if you have just started this yourself.`
            : t`Any app can choose this name. Go on only if you have just started this yourself, and know the place you will be sent to.`}
        </Alert>
      )}
    </Stack>
  );
}

function ChooseAgent() {
  const { agent, session, choose } = useAgent();
  if (session.agents.length === 1) {
    return (
      <Text>
        <Trans>
          It asks for the memory of{' '}
          <strong>
            <PlainText text={agent.display_name} />
          </strong>
          .
        </Trans>
      </Text>
    );
  }
  return (
    <NativeSelect
      label={t`Whose memory`}
      value={agent.id}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      data={session.agents.map(({ id, display_name }) => ({ value: id, label: display_name }))}
    />
  );
}
