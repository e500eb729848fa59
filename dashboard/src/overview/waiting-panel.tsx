import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { MemoryText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { PAGES } from '../pages.ts';
import type { Dashboard } from './overview.tsx';
import classes from './waiting-panel.module.css';

const SHOWN = 3;

/** Changes to who the agent is, which wait for the human. */
export function WaitingPanel({ entries }: { entries: Dashboard['guardian'] }) {
  return (
    <Panel
      title={entries.length === 1 ? 'One change waits for you' : `${entries.length} changes wait for you`}
      hint="The Guardian holds changes to who the agent is"
      action={
        <Button component={Link} href={PAGES.guardian} size="xs">
          Decide
        </Button>
      }
    >
      <ul className={classes.entries}>
        {entries.slice(0, SHOWN).map(({ id, current, proposed, requested_at, drift }) => (
          <li key={id} className={classes.entry}>
            <TypeMark type="core" category={(proposed ?? current)?.category ?? null} />
            <span className={classes.text}>
              {proposed ? (
                <MemoryText text={proposed.content} lines={1} size="small" />
              ) : (
                <em>To be forgotten</em>
              )}
            </span>
            <span className={classes.facts}>
              drift {drift.toFixed(2)} · <When at={requested_at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
