import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Skeleton, Stack } from '@mantine/core';
import type { AnswerOf } from '../api/call.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { When } from '../design/when.tsx';
import { deviceOf } from './device.ts';
import classes from './settings.module.css';

type Session = AnswerOf<'GET /auth/sessions'>['sessions'][number];

/** Shows in which browsers the human is signed in, and signs them out. */
export function Sessions() {
  const listed = useAnswer('sessions', 'GET /auth/sessions', {});
  const endOthers = useAction('POST /auth/sessions/end-others', {
    touches: ['sessions'],
    done: t`All other browsers are signed out.`,
  });
  const hasOthers = listed.data?.sessions.some(({ is_current }) => !is_current) === true;
  return (
    <Panel
      title={t`Where you are signed in`}
      hint={t`Sign out what you do not know or no longer use. It takes effect at once.`}
      action={
        hasOthers && (
          <Button
            variant="default"
            size="xs"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate({})}
          >
            <Trans>Sign out all others</Trans>
          </Button>
        )
      }
      flush
    >
      <QueryResult of={listed} loading={<Loading />}>
        {({ sessions }) => (
          <ul className={classes.rows}>
            {sessions.map((session) => (
              <SessionLine key={session.id} session={session} />
            ))}
          </ul>
        )}
      </QueryResult>
    </Panel>
  );
}

function SessionLine({ session }: { session: Session }) {
  const { id, user_agent, address, created_at, last_used_at, is_current } = session;
  const end = useAction('POST /auth/sessions/end', {
    touches: ['sessions'],
    done: t`That browser is signed out.`,
  });
  const device = deviceOf(user_agent);
  return (
    <li className={classes.row}>
      <div className={classes.main}>
        <div className={classes.name}>
          {device === undefined ? t`A browser we do not know` : <PlainText text={device} />}{' '}
          {is_current && (
            <Badge variant="dot" color="teal" tt="none" size="sm">
              <Trans>this browser</Trans>
            </Badge>
          )}
        </div>
        <p className={classes.quiet}>
          {address !== null && (
            <>
              <PlainText text={address} />
              {' · '}
            </>
          )}
          <Trans>
            signed in <When at={created_at} />
            {' · '}last seen <When at={last_used_at} />
          </Trans>
        </p>
      </div>
      {!is_current && (
        <Button variant="default" size="xs" loading={end.isPending} onClick={() => end.mutate({ id })}>
          <Trans>Sign out</Trans>
        </Button>
      )}
    </li>
  );
}

function Loading() {
  return (
    <Stack gap="sm" px="lg" py="sm">
      <Skeleton height={40} radius="sm" />
      <Skeleton height={40} radius="sm" />
    </Stack>
  );
}
