import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Author } from '../design/author.tsx';
import { Panel } from '../design/panel.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { ConfirmAll } from './confirm-all.tsx';
import { Decide } from './decide.tsx';
import type { Deciding } from './decision-dialog.tsx';
import classes from './entry.module.css';
import type { GuardedSpace, ReviewEntry } from './entry.ts';
import { EntryChange, whatOf } from './entry-change.tsx';

interface Props {
  readonly entries: readonly ReviewEntry[];
  readonly space?: GuardedSpace | undefined;
  readonly ask: (deciding: Deciding) => void;
}

/** Lists protected memories that the agent stored itself. The human confirms or removes them. */
export function Unconfirmed({ entries, space, ask }: Props) {
  return (
    <Panel
      title={t`Not confirmed yet`}
      hint={t`Your agent knows these already. In boot they stand after what you have confirmed, marked as not confirmed.`}
      action={entries.length > 1 && <ConfirmAll entries={entries} space={space} />}
      flush
    >
      <ul>
        {entries.map((entry) => (
          <li key={entry.id} id={`entry-${entry.id}`} className={classes.row}>
            <div className={classes.what}>
              <div>
                <h3>{whatOf(entry)}</h3>
                <p className={classes.trail}>
                  <Trans>
                    Stored by <Author by={entry.requested_by} /> <When at={entry.requested_at} />
                  </Trans>
                </p>
              </div>
              <TypeMark type="core" category={entry.proposed?.category ?? null} />
            </div>
            <EntryChange entry={entry} />
            <Decide entry={entry} danger="meaning" inSpace={space !== undefined} ask={ask} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
