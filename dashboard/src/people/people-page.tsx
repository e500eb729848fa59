import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction, useList } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { Failure } from '../design/failure.tsx';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { PanelSkeleton } from '../design/panel-skeleton.tsx';
import { ShowMore } from '../design/show-more.tsx';
import { PersonLine } from './person-line.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';
import { useReceipts } from './receipts.ts';

const PAGE = 50;
const PAUSE_MS = 140;
/** No event tells of users, nor that one was forgotten elsewhere. */
const REFRESH_MS = 15_000;

/** Lists the users of the agent: who, how much is known, when seen last. Forgets one for good. */
export default function PeoplePage() {
  const [text, setText] = useState('');
  const [part] = useDebouncedValue(text.trim(), PAUSE_MS);
  const isSearch = part !== '';
  const list = useList(
    'people',
    'GET /users',
    { limit: PAGE, ...(isSearch && { contains: part }) },
    { refetchInterval: REFRESH_MS },
  );
  const { receipts, keep, drop } = useReceipts();
  // Here and not in the line, which is gone once its user is forgotten.
  const forget = useAction('DELETE /users/{user_id}', {
    touches: ['people', 'keys'],
    // Not by a callback of `mutate`: it would not be called for one whose answer comes after another was forgotten.
    succeeded: ({ receipt }) => keep(receipt),
  });
  const users = list.data?.pages.flatMap((page) => page.users) ?? [];
  return (
    <PageLayout
      title={t`People`}
      lead={t`The users that your agent knows, by the ids of the app it works for. What it knows of one, it tells no other.`}
    >
      {(list.hasNextPage || isSearch || text !== '') && <IdField text={text} setText={setText} />}
      {list.isPending ? (
        <PanelSkeleton lines={6} />
      ) : list.isError && users.length === 0 ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : users.length === 0 ? (
        <Nobody isSearch={isSearch} />
      ) : (
        <Panel flush>
          <ul>
            {users.map((user) => (
              <PersonLine
                key={user.id}
                user={user}
                pending={forget.isPending && forget.variables.user_id === user.id}
                forget={() => forget.mutate({ user_id: user.id })}
              />
            ))}
          </ul>
          <ShowMore of={list} label={t`Show more`} />
        </Panel>
      )}
      <ReceiptDialog receipts={receipts} close={drop} />
    </PageLayout>
  );
}

function IdField({ text, setText }: { text: string; setText: (text: string) => void }) {
  return (
    <TextInput
      type="search"
      aria-label={t`Find users by their ids`}
      placeholder={t`Find by a part of the id`}
      leftSection={<IconSearch size={16} />}
      maxLength={128}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}

function Nobody({ isSearch }: { isSearch: boolean }) {
  return (
    <Panel>
      {isSearch ? (
        <Empty icon={IconUsers} title={t`No such user`}>
          <Trans>The id of nobody that your agent knows contains this.</Trans>
        </Empty>
      ) : (
        <Empty icon={IconUsers} title={t`Nobody yet`}>
          <Trans>
            Your agent works for itself so far. An app names its users with user_id; then they stand here.
          </Trans>
        </Empty>
      )}
    </Panel>
  );
}
