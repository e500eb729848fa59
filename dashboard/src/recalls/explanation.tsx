import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { formatShare } from '../design/format.ts';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { serverText } from '../language/server-text.ts';
import { memoryPath } from '../navigation/paths.ts';
import classes from './recalls.module.css';

type Answer = AnswerOf<'POST /memories/recall'>;
type Part = NonNullable<Answer['results'][number]['explanation']>['parts'][number];

const LEFT_OUT = 5;

interface Props {
  readonly answer: Answer;
  /** For whom it was asked. Undefined: for the agent itself. */
  readonly user: string | undefined;
}

/** Shows of each result what each signal gave it, and which memories came near and were left out. */
export function Explanation({ answer: { results, explained }, user }: Props) {
  const leftOut = explained?.left_out.slice(0, LEFT_OUT) ?? [];
  return (
    <div className={classes.explanation}>
      <Text size="sm" fw={600}>
        <Trans>Asked again just now: why these</Trans>
      </Text>
      {results.length === 0 && (
        <Text size="sm" c="dimmed">
          <Trans>Nothing reaches the threshold now.</Trans>
        </Text>
      )}
      <ol className={classes.list}>
        {results.map(({ id, content, similarity, explanation, space_id, user_id }) => (
          <li key={id}>
            <Link href={memoryPath(id, space_id, user_id)} className={classes.memory}>
              <MemoryText text={content} lines={1} size="small" />
            </Link>
            <span className={classes.parts}>
              <span className={classes.share}>{Math.round(similarity * 100)} %</span>
              {explanation?.parts.map((part) => (
                <Signal key={part.name} part={part} />
              ))}
            </span>
          </li>
        ))}
      </ol>
      {leftOut.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            <Trans>Came near, and were left out</Trans>
          </Text>
          <ul className={classes.list}>
            {leftOut.map(({ id, reason }) => (
              <li key={id}>
                <Link href={memoryPath(id, undefined, user)} className={classes.memory}>
                  <Text size="sm" component="span">
                    <PlainText text={serverText(reason)} />
                  </Text>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Signal({ part: { name, value } }: { part: Part }) {
  // A word of the question stays as it is.
  const [, word] = /^word: (.*)$/s.exec(name) ?? [];
  return (
    <span className={classes.part} data-less={value < 0}>
      {word === undefined ? (
        <PlainText text={serverText(name)} />
      ) : (
        <Trans>
          word: <PlainText text={word} />
        </Trans>
      )}{' '}
      {value >= 0 ? '+' : '−'}
      {formatShare(Math.abs(value))}
    </span>
  );
}
