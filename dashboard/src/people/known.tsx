import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { escapeUnseen } from '@svc-memory/core/text';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer, useList } from '../api/hooks.ts';
import { BlockLink } from '../design/block-link.tsx';
import { Failure } from '../design/failure.tsx';
import { MemoryText } from '../design/memory-text.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { Quiet } from '../design/row.tsx';
import { ShowMore } from '../design/show-more.tsx';
import { Stale } from '../design/stale.tsx';
import { When } from '../design/when.tsx';
import { memoryPath, recallsOfPath } from '../navigation/paths.ts';
import classes from './people.module.css';

type User = AnswerOf<'GET /users'>['users'][number];
type Memory = AnswerOf<'POST /memories/query'>['memories'][number];

const PAGE = 50;
/** Pages that are read at most for one press of the button: the agent's own memories stand between those of the user. */
const MOST_PAGES = 5;
/** Results of a search at most: the agent's own memories stand between those of the user here, too. */
const MOST_FOUND = 100;
/** As on the page of memories: below this a memory has nothing to do with the query. */
const POSSIBLE = 0.05;
const PAUSE_MS = 140;

/** What is the user's, the newest first, or what a search finds of it; the agent's own stands on the page of memories. */
export function KnownOfUser({ user }: { user: User }) {
  const [text, setText] = useState('');
  const [query] = useDebouncedValue(text.trim(), PAUSE_MS);
  const name = escapeUnseen(user.id);
  return (
    <>
      <TextInput
        type="search"
        size="xs"
        mt="xs"
        aria-label={t`Search in what is known of ${name}`}
        placeholder={t`Search in what is known`}
        leftSection={<IconSearch size={15} />}
        maxLength={1_000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {query === '' ? <Newest user={user} /> : <Found user={user.id} query={query} />}
    </>
  );
}

/** What a search finds of the user, the best first. */
function Found({ user, query }: { user: string; query: string }) {
  const found = useAnswer(
    'people',
    'POST /memories/recall',
    { user_id: user, query, threshold: POSSIBLE, limit: MOST_FOUND },
    { keepPrevious: true, staleTime: 60_000 },
  );
  return (
    <div aria-live="polite">
      <QueryResult of={found} loading={<Skeleton height={80} radius="sm" />}>
        {({ results }) => {
          const own = results.filter(({ user_id }) => user_id === user);
          // That nothing was found says nothing of what is asked now.
          if (found.isPlaceholderData && own.length === 0) return <Skeleton height={80} radius="sm" />;
          return own.length > 0 ? (
            <Stale of={found}>
              <KnownList memories={own} />
            </Stale>
          ) : (
            <Quiet>
              <Trans>Nothing like that is known of this user.</Trans>
            </Quiet>
          );
        }}
      </QueryResult>
    </div>
  );
}

function Newest({ user: { id, memories } }: { user: User }) {
  const list = useList('people', 'POST /memories/query', { user_id: id, limit: PAGE });
  if (list.isPending) return <Skeleton height={80} radius="sm" />;
  const pages = list.data?.pages ?? [];
  if (list.isError && pages.length === 0) {
    return <Failure error={list.error} retry={() => void list.refetch()} />;
  }
  const own = ownOf(pages, id);
  const readOn = async () => {
    for (let read = 0; read < MOST_PAGES; read += 1) {
      const { data, hasNextPage, isError } = await list.fetchNextPage();
      if (isError || !hasNextPage || ownOf(data?.pages ?? [], id).length > own.length) return;
    }
  };
  return (
    <>
      {own.length === 0 ? (
        <Quiet>
          <Trans>Nothing among the newest memories is about this user alone.</Trans>
        </Quiet>
      ) : (
        <KnownList memories={own} />
      )}
      {own.length < memories && <ShowMore of={list} label={t`Show more`} readOn={() => void readOn()} />}
      <Button component={Link} href={recallsOfPath(id)} variant="subtle" size="xs">
        <Trans>What was asked for this user</Trans>
      </Button>
    </>
  );
}

function ownOf(pages: readonly { readonly memories: readonly Memory[] }[], user: string): Memory[] {
  return pages.flatMap(({ memories }) => memories.filter(({ user_id }) => user_id === user));
}

function KnownList({
  memories,
}: {
  memories: readonly Pick<Memory, 'id' | 'content' | 'occurred_at' | 'user_id'>[];
}) {
  return (
    <ul className={classes.known}>
      {memories.map(({ id, content, occurred_at, user_id }) => (
        <li key={id}>
          <BlockLink href={memoryPath(id, undefined, user_id)} className={classes.memory}>
            <Quiet>
              <When at={occurred_at} />
            </Quiet>
            <MemoryText text={content} lines={3} size="small" />
          </BlockLink>
        </li>
      ))}
    </ul>
  );
}
