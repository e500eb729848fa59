import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button } from '@mantine/core';
import Bowser from 'bowser';
import type { AnswerOf } from '../api/call.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { Row } from '../design/row.tsx';
import { RowsSkeleton } from '../design/rows-skeleton.tsx';
import { When } from '../design/when.tsx';

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
      <QueryResult of={listed} loading={<RowsSkeleton />}>
        {({ sessions }) => (
          <ul>
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
    <Row
      name={
        <>
          {device === undefined ? t`A browser we do not know` : <PlainText text={device} />}{' '}
          {is_current && (
            <Badge variant="dot" color="teal" tt="none" size="sm">
              <Trans>this browser</Trans>
            </Badge>
          )}
        </>
      }
      facts={
        <>
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
        </>
      }
    >
      {!is_current && (
        <Button variant="default" size="xs" loading={end.isPending} onClick={() => end.mutate({ id })}>
          <Trans>Sign out</Trans>
        </Button>
      )}
    </Row>
  );
}

/**
 * Says in words what a browser tells of itself: `Firefox on Windows`.
 *
 * @returns undefined where it cannot be told. The words may hold parts of the text, which anybody can choose.
 */
function deviceOf(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined;
  const { browser, os } = Bowser.parse(userAgent);
  const [name, system] = [browser.name, os.name];
  if (!name) return undefined;
  return system ? t`${name} on ${system}` : name;
}
