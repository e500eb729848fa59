import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../api/call.ts';
import { Confirm } from '../design/confirm.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Row } from '../design/row.tsx';
import { When } from '../design/when.tsx';
import { KnownOfUser } from './known.tsx';

type User = AnswerOf<'GET /users'>['users'][number];

interface Props {
  readonly user: User;
  readonly pending: boolean;
  readonly forget: () => void;
}

/** One user, what is known of them, and a way to forget all of it. */
export function PersonLine({ user, pending, forget }: Props) {
  const { id, memories, created_at, last_seen_at } = user;
  const [isOpen, setOpen] = useState(false);
  return (
    <Row
      name={<PlainText text={id} />}
      facts={
        <>
          <Plural value={memories} one="# memory" other="# memories" />
          {' · '}
          <Trans>
            known <When at={created_at} />
          </Trans>
          {' · '}
          <Trans>
            seen last <When at={last_seen_at} />
          </Trans>
        </>
      }
      below={isOpen && <KnownOfUser user={user} />}
    >
      <Group gap="xs">
        <Button variant="subtle" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t`Close` : t`What is known`}
        </Button>
        <Confirm action={t`Forget`} title={t`Forget this user for good`} pending={pending} confirm={forget}>
          <Trans>
            All that is stored about <PlainText text={id} /> is erased: memories with their history, sessions,
            schedule, logs, and the API keys bound to them. This cannot be taken back. Backups that were made
            before hold it until they are replaced.
          </Trans>
        </Confirm>
      </Group>
    </Row>
  );
}
