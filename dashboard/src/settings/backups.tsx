import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Badge, Button, Code, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconDatabase, IconDownload, IconLock } from '@tabler/icons-react';
import type { AnswerOf } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { formatBytes, formatMoment } from '../design/format.ts';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { Row } from '../design/row.tsx';
import { serverText } from '../language/server-text.ts';

type Listed = AnswerOf<'GET /backups'>;
type Backup = Listed['backups'][number];

/** How often the list is read while a backup is made or checked. */
const LOOK_MS = 500;

const KINDS = {
  manual: t`made by hand`,
  daily: t`made by itself, as each day`,
  migration: t`made before an update`,
} as const satisfies Record<Backup['kind'], string>;

const CHECKS = {
  pending: { label: t`being checked`, color: 'gray' },
  good: { label: t`verified`, color: 'teal' },
  damaged: { label: t`damaged`, color: 'red' },
} as const satisfies Record<Backup['check'], unknown>;

const STEPS = {
  copying: { label: t`The memories are copied …`, share: 20 },
  packing: { label: t`The copy is packed …`, share: 55 },
  checking: { label: t`The backup is compared with the memories …`, share: 85 },
} as const;

/** Lists the backups of an embedded database, makes one and downloads it. */
export function Backups() {
  const listed = useAnswer(
    'backups',
    'GET /backups',
    {},
    { staleTime: 0, refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOOK_MS : false) },
  );
  if (listed.error instanceof ApiError && listed.error.status === 403) return <NotYours />;
  return (
    <QueryResult of={listed} loading={<Skeleton height={180} radius="lg" />}>
      {(data) => (data.available ? <Embedded listed={data} /> : <OnServer />)}
    </QueryResult>
  );
}

function isUnderWay(listed: Listed | undefined): boolean {
  if (!listed) return false;
  return listed.making !== null || listed.backups.some(({ check }) => check === 'pending');
}

function Embedded({ listed: { backups, making, failure } }: { listed: Listed }) {
  const make = useAction('POST /backups', { touches: ['backups'] });
  const isMaking = make.isPending || making !== null;
  return (
    <Panel
      title={t`Backups`}
      hint={t`Each holds everything on this service: what every agent remembers, also what it keeps to itself, and the keys. Keep them safe.`}
      action={
        <Button size="xs" loading={isMaking} onClick={() => make.mutate({})}>
          <Trans>Make one now</Trans>
        </Button>
      }
      flush
    >
      {making && <Making step={making.step} />}
      {failure !== null && (
        <Alert color="red" variant="light" role="alert" title={t`No backup was made`} mx="lg" mb="md">
          {serverText(failure)}
        </Alert>
      )}
      {backups.length === 0 ? (
        <Empty icon={IconDatabase} title={t`No backups yet`}>
          <Trans>The service makes one by itself each day that it runs, from the second day on.</Trans>
        </Empty>
      ) : (
        <ul>
          {backups.map((backup) => (
            <BackupLine key={backup.name} backup={backup} />
          ))}
        </ul>
      )}
      <Text size="sm" c="dimmed" px="lg" py="md">
        <Trans>
          To go back to one, stop the service and run <Code>npx svc-memory restore FILE --replace</Code>. What
          is there now is kept beside it.
        </Trans>
      </Text>
    </Panel>
  );
}

function Making({ step }: { step: keyof typeof STEPS }) {
  const { label, share } = STEPS[step];
  return (
    <Stack gap="xs" px="lg" pb="md">
      <Progress value={share} animated size="lg" aria-label={t`Progress of the backup`} />
      <Text size="sm" role="status">
        {label}
      </Text>
    </Stack>
  );
}

function BackupLine({ backup: { name, kind, made_at, bytes, check } }: { backup: Backup }) {
  const { label, color } = CHECKS[check];
  return (
    <Row
      name={
        <>
          <time dateTime={made_at}>{formatMoment(made_at)}</time>{' '}
          <Badge variant="dot" color={color} tt="none" size="sm">
            {label}
          </Badge>
        </>
      }
      facts={
        <>
          {formatBytes(bytes)} · {KINDS[kind]}
        </>
      }
    >
      <Button
        component="a"
        href={`/api/v1/backups/${encodeURIComponent(name)}`}
        download={name}
        variant="default"
        size="xs"
        leftSection={<IconDownload size={15} />}
        aria-label={t`Download the backup of ${formatMoment(made_at)}`}
      >
        <Trans>Download</Trans>
      </Button>
    </Row>
  );
}

function NotYours() {
  return (
    <Panel title={t`Backups`}>
      <Empty icon={IconLock} title={t`Backups are for the owner of this service`}>
        <Trans>
          They hold the memories of everybody here. What your own agents remember you can export at any time.
        </Trans>
      </Empty>
    </Panel>
  );
}

/** A database server is backed up by its own tools. The keyboard scrolls what is wider than a phone. */
function OnServer() {
  return (
    <Panel
      title={t`Backups`}
      hint={t`The memories are on a database server, which is backed up by its own tools.`}
    >
      <Stack gap="sm">
        <Text size="sm">
          <Trans>Whoever runs it makes a backup while the service runs, by</Trans>
        </Text>
        <Code block tabIndex={0}>
          pg_dump --format=custom --file=memories.dump "$SVC_DATABASE_URL"
        </Code>
        <Text size="sm">
          <Trans>and restores it into an empty database, while the service is stopped, by</Trans>
        </Text>
        <Code block tabIndex={0}>
          pg_restore --no-owner --dbname="$SVC_DATABASE_URL" memories.dump
        </Code>
        <Text size="sm">
          <Trans>
            Keep <Code>SVC_SECRET</Code> beside it, not in it: without that the signing secrets of webhooks
            cannot be read any more.
          </Trans>
        </Text>
      </Stack>
    </Panel>
  );
}
