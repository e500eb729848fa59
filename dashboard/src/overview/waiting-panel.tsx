import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { Link } from 'wouter';
import { formatShare } from '../design/format.ts';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { TextDiff } from '../design/text-diff.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { byGravity, type WaitingEntry as Entry } from '../guardian/entry.ts';
import { serverText } from '../language/server-text.ts';
import { PATHS } from '../navigation/paths.ts';
import classes from './waiting-panel.module.css';

type Entries = readonly Entry[];

const SHOWN = 4;
const REDACTED = '[redacted]';

interface Props {
  readonly pending: Entries;
  /** Memories that are stored already. The human confirms or removes them. */
  readonly unconfirmed: Entries;
  /** The drift from which on a change is large. */
  readonly driftLimit: number;
}

/**
 * Lists the changes and additions to protected memories that wait for the human, the gravest first, each with its old and new text.
 */
export function WaitingPanel({ pending, unconfirmed, driftLimit }: Props) {
  const entries = [...[...pending].sort(byGravity), ...unconfirmed];
  const more = entries.length - SHOWN;
  return (
    <Panel
      title={titleOf(pending, unconfirmed)}
      hint={t`The Guardian holds changes to who the agent is`}
      action={
        <Button component={Link} href={PATHS.guardian} size="xs">
          <Trans>Decide</Trans>
        </Button>
      }
    >
      <ul className={classes.entries}>
        {entries.slice(0, SHOWN).map((entry) => (
          <li key={entry.id} className={classes.entry} data-large={isLarge(entry, driftLimit)}>
            <span className={classes.facts}>
              <TypeMark type="core" category={(entry.proposed ?? entry.current)?.category ?? null} />
              {isLarge(entry, driftLimit) && (
                <span className={classes.large}>
                  <Trans>large, drift {formatShare(entry.drift)}</Trans>
                </span>
              )}
              {entry.space && (
                <span className={classes.space}>
                  <IconUsersGroup size={13} stroke={1.8} role="img" aria-label={t`Space`} />
                  <PlainText text={entry.space.name} />
                </span>
              )}
              <span>
                {whyOf(entry)} · <When at={entry.requested_at} />
              </span>
            </span>
            <What entry={entry} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className={classes.more}>
          <Link href={PATHS.guardian}>{t`${more} more`}</Link>
        </p>
      )}
    </Panel>
  );
}

function What({ entry: { current, proposed } }: { entry: Entry }) {
  if (current === null) return <MemoryText text={proposed?.content ?? ''} lines={2} size="small" />;
  if (proposed === null) {
    return (
      <>
        <em>
          <Trans>To be forgotten:</Trans>
        </em>{' '}
        <MemoryText text={current.content} lines={2} size="small" />
      </>
    );
  }
  if (current.content === proposed.content || current.content === REDACTED) {
    return <MemoryText text={proposed.content} lines={2} size="small" />;
  }
  return <TextDiff before={current.content} after={proposed.content} lines={4} />;
}

function isLarge({ current, drift }: Entry, limit: number): boolean {
  return current !== null && drift > 0 && drift >= limit;
}

/** Returns a title such as `One change and 2 new memories wait for you`. */
function titleOf(pending: Entries, unconfirmed: Entries): string {
  const changes = pending.filter(({ current }) => current !== null).length;
  const additions = pending.length - changes + unconfirmed.length;
  if (additions === 0)
    return plural(changes, { one: 'One change waits for you', other: '# changes wait for you' });
  const news = plural(additions, { one: 'one new memory', other: '# new memories' });
  if (changes === 0)
    return plural(additions, { one: 'One new memory waits for you', other: '# new memories wait for you' });
  return plural(changes, {
    one: `One change and ${news} wait for you`,
    other: `# changes and ${news} wait for you`,
  });
}

function whyOf({ status, concerns }: Entry): string {
  if (status === 'added') return t`not confirmed yet`;
  return concerns[0] === undefined ? t`the meaning stays` : serverText(concerns[0]);
}
