import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { MemoryText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { byGravity } from '../guardian/entry.ts';
import { PATHS } from '../navigation/paths.ts';
import type { OverviewData } from './overview-data.ts';
import classes from './waiting-panel.module.css';

type Entries = OverviewData['guardian'];

const SHOWN = 3;

interface Props {
  readonly pending: Entries;
  /** Memories that are stored already. The human confirms or removes them. */
  readonly unconfirmed: Entries;
}

/** Lists the changes and additions to protected memories that wait for the human. */
export function WaitingPanel({ pending, unconfirmed }: Props) {
  const entries = [...[...pending].sort(byGravity), ...unconfirmed];
  return (
    <Panel
      title={titleOf(pending, unconfirmed)}
      hint="The Guardian holds changes to who the agent is"
      action={
        <Button component={Link} href={PATHS.guardian} size="xs" className={classes.decide}>
          Decide
        </Button>
      }
    >
      <ul className={classes.entries}>
        {entries.slice(0, SHOWN).map((entry) => (
          <li key={entry.id} className={classes.entry}>
            <TypeMark type="core" category={(entry.proposed ?? entry.current)?.category ?? null} />
            <span className={classes.text}>
              {entry.proposed ? (
                <MemoryText text={entry.proposed.content} lines={1} size="small" />
              ) : (
                <em>To be forgotten</em>
              )}
            </span>
            <span className={classes.facts}>
              {whyOf(entry)} · <When at={entry.requested_at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Returns a title such as `One change and 2 new memories wait for you`. */
function titleOf(pending: Entries, unconfirmed: Entries): string {
  const changes = pending.filter(({ current }) => current !== null).length;
  const additions = pending.length - changes + unconfirmed.length;
  const parts = [counted(changes, 'change', 'changes'), counted(additions, 'new memory', 'new memories')];
  const words = parts.filter((part) => part !== '').join(' and ');
  const verb = changes + additions === 1 ? 'waits' : 'wait';
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${verb} for you`;
}

function counted(count: number, one: string, many: string): string {
  if (count === 0) return '';
  return count === 1 ? `one ${one}` : `${count} ${many}`;
}

function whyOf({ status, concerns }: Entries[number]): string {
  if (status === 'added') return 'not confirmed yet';
  return concerns[0] ?? 'the meaning stays';
}
