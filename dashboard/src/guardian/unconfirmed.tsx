import { Panel } from '../design/panel.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { Decide } from './decide.tsx';
import classes from './entry.module.css';
import { type ReviewEntry, whoOf } from './entry.ts';
import { EntryChange, whatOf } from './entry-change.tsx';

/** Lists protected memories that the agent stored itself. The human confirms or removes them. */
export function Unconfirmed({ entries }: { entries: readonly ReviewEntry[] }) {
  return (
    <Panel
      title="Not confirmed yet"
      hint="Your agent knows these already. In boot they stand after what you have confirmed, marked as not confirmed."
      flush
    >
      <ul className={classes.rows}>
        {entries.map((entry) => (
          <li key={entry.id} className={classes.row}>
            <div className={classes.what}>
              <div>
                <h3>{whatOf(entry)}</h3>
                <p className={classes.trail}>
                  Stored by {whoOf(entry.requested_by)} <When at={entry.requested_at} />
                </p>
              </div>
              <TypeMark type="core" category={entry.proposed?.category ?? null} />
            </div>
            <EntryChange entry={entry} />
            <Decide entry={entry} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
