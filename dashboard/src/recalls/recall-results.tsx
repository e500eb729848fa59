import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { useAnswer } from '../api/hooks.ts';
import { MemoryText } from '../design/memory-text.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { memoryPath, PATHS } from '../navigation/paths.ts';
import { Explanation } from './explanation.tsx';
import classes from './recalls.module.css';

/** One recall of the log. */
export type LoggedRecall = AnswerOf<'GET /recalls'>['recalls'][number];

const SHOWN = 10;
const MOST = 100;

interface Props {
  readonly recall: LoggedRecall;
  /** For whom it was asked. Undefined: for the agent itself. */
  readonly user: string | undefined;
}

/** Lists the memories that a recall brought back, and explains on request why each of them. */
export function RecallResults({ recall, user }: Props) {
  const [explained, { open }] = useDisclosure();
  const { results, query } = recall;
  return (
    <div className={classes.results}>
      {results.length === 0 ? (
        <Text size="sm" c="dimmed">
          <Trans>No memory was near enough to the question.</Trans>
        </Text>
      ) : (
        <ol className={classes.list}>
          {results.slice(0, SHOWN).map(({ id, similarity }) => (
            <Result key={id} id={id} user={user} similarity={similarity} />
          ))}
        </ol>
      )}
      {results.length > SHOWN && (
        <Text size="sm" c="dimmed">
          <Trans>and {results.length - SHOWN} more</Trans>
        </Text>
      )}
      {explained && <Why query={query} user={user} limit={Math.min(MOST, Math.max(SHOWN, results.length))} />}
      {!explained && query !== '' && (
        <div className={classes.actions}>
          <Button size="xs" variant="default" onClick={open}>
            <Trans>Ask again, and explain</Trans>
          </Button>
          {/* The page of memories searches what is the agent's own. */}
          {user === undefined && (
            <Button
              component={Link}
              href={`${PATHS.memories}?query=${encodeURIComponent(query)}`}
              size="xs"
              variant="subtle"
            >
              <Trans>Search for it</Trans>
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function Result({ id, user, similarity }: { id: string; user: string | undefined; similarity: number }) {
  const memory = useAnswer('memories', 'GET /memories/{id}', { id, ...asUser(user) });
  const gone = memory.error instanceof ApiError && memory.error.status === 404;
  return (
    <li className={classes.result}>
      <span className={classes.share}>{Math.round(similarity * 100)} %</span>
      {gone ? (
        <Text size="sm" c="dimmed">
          <Trans>It is archived or erased since.</Trans>
        </Text>
      ) : (
        <QueryResult of={memory} loading={<Skeleton height={18} width="70%" />}>
          {({ memory: { type, category, content, space_id, user_id } }) => (
            <Link href={memoryPath(id, space_id, user_id)} className={classes.memory}>
              <TypeMark type={type} category={category} />
              <MemoryText text={content} lines={2} size="small" />
            </Link>
          )}
        </QueryResult>
      )}
    </li>
  );
}

function asUser(user: string | undefined) {
  return user === undefined ? {} : { user_id: user };
}

type Recalled = AnswerOf<'POST /memories/recall'>;

/** Asks the same now, since a recall of the past is not kept with its reasons. */
function Why({ query, user, limit }: { query: string; user: string | undefined; limit: number }) {
  const again = useAnswer(
    // Not 'recalls': the event of this recall would ask it again.
    'memories',
    'POST /memories/recall',
    { query, limit, explain: true, ...asUser(user) },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  return (
    <QueryResult of={again} loading={<Skeleton height={120} radius="md" />}>
      {(answer: Recalled) => <Explanation answer={answer} user={user} />}
    </QueryResult>
  );
}
