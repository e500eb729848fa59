import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton } from '@mantine/core';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { useList } from '../api/hooks.ts';
import { Failure } from '../design/failure.tsx';
import { MemoryText } from '../design/memory-text.tsx';
import { When } from '../design/when.tsx';
import { memoryPath, recallsOfPath } from '../navigation/paths.ts';
import classes from './people.module.css';

type User = AnswerOf<'GET /users'>['users'][number];
type Memory = AnswerOf<'POST /memories/query'>['memories'][number];

const PAGE = 50;
/** Pages that are read at most for one press of the button: the agent's own memories stand between those of the user. */
const MOST_PAGES = 5;

/** What is the user's, the newest first; the agent's own stands on the page of memories. */
export function KnownOfUser({ user: { id, memories } }: { user: User }) {
  const list = useList('people', 'POST /memories/query', { user_id: id, limit: PAGE });
  if (list.isPending) return <Skeleton height={80} radius="sm" />;
  const pages = list.data?.pages ?? [];
  if (list.isError && pages.length === 0) {
    return <Failure error={list.error} retry={() => void list.refetch()} />;
  }
  const own = ownOf(pages, id);
  const readOn = async () => {
    for (let read = 0; read < MOST_PAGES; read += 1) {
      const { data, hasNextPage } = await list.fetchNextPage();
      if (!hasNextPage || ownOf(data?.pages ?? [], id).length > own.length) return;
    }
  };
  return (
    <>
      {own.length === 0 ? (
        <p className={classes.quiet}>
          <Trans>Nothing among the newest memories is about this user alone.</Trans>
        </p>
      ) : (
        <KnownList memories={own} />
      )}
      <Group gap="xs">
        {list.hasNextPage && own.length < memories && (
          <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={() => void readOn()}>
            <Trans>Show more</Trans>
          </Button>
        )}
        <Button component={Link} href={recallsOfPath(id)} variant="subtle" size="xs">
          <Trans>What was asked for this user</Trans>
        </Button>
      </Group>
    </>
  );
}

function ownOf(pages: readonly { readonly memories: readonly Memory[] }[], user: string): Memory[] {
  return pages.flatMap(({ memories }) => memories.filter(({ user_id }) => user_id === user));
}

function KnownList({ memories }: { memories: readonly Memory[] }) {
  return (
    <ul className={classes.known}>
      {memories.map(({ id, content, occurred_at, user_id }) => (
        <li key={id}>
          <Link href={memoryPath(id, undefined, user_id)} className={classes.memory}>
            <span className={classes.quiet}>
              <When at={occurred_at} />
            </span>
            <MemoryText text={content} lines={3} size="small" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
