import { Panel } from '../design/panel.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { Decide } from './decide.tsx';
import { Drift } from './drift.tsx';
import classes from './entry.module.css';
import { type ReviewEntry, type ReviewSettings, whoOf } from './entry.ts';
import { EntryChange, whatOf } from './entry-change.tsx';
import { Left } from './left.tsx';

interface Props {
  readonly entry: ReviewEntry;
  readonly settings: ReviewSettings;
}

/** Shows a change that waits: the change, why it waits, its drift, the time left, and the two decisions. */
export function PendingEntry({ entry, settings }: Props) {
  const category = (entry.current ?? entry.proposed)?.category ?? null;
  return (
    <Panel
      title={whatOf(entry)}
      hint={
        <>
          {entry.current === null ? 'Wants to be added by' : 'Asked for by'} {whoOf(entry.requested_by)}{' '}
          <When at={entry.requested_at} />
        </>
      }
      action={<TypeMark type="core" category={category} />}
    >
      <EntryChange entry={entry} />
      <dl className={classes.facts}>
        {entry.concerns.length > 0 && <Concerns concerns={entry.concerns} />}
        {entry.current !== null && (
          <div>
            <dt>How far it goes</dt>
            <dd>
              <Drift drift={entry.drift} limit={settings.drift_limit} />
            </dd>
          </div>
        )}
        <div>
          <dt>Time left</dt>
          <dd>
            <TimeLeft entry={entry} unattended={settings.unattended} />
          </dd>
        </div>
      </dl>
      <Decide entry={entry} />
    </Panel>
  );
}

/** Lists why the human is needed. The gravest reason comes first. */
function Concerns({ concerns }: Pick<ReviewEntry, 'concerns'>) {
  return (
    <div className={classes.concerns}>
      <dt>Why it waits</dt>
      {concerns.map((concern) => (
        <dd key={concern}>{concern}</dd>
      ))}
    </div>
  );
}

function TimeLeft({ entry, unattended }: { entry: ReviewEntry } & Pick<ReviewSettings, 'unattended'>) {
  if (entry.status === 'waiting') return <>None. It waits for you, for as long as you need.</>;
  const needsHuman = entry.concerns.length > 0 || unattended === 'nothing';
  return (
    <>
      <Left until={entry.cooling_until} />
      <span className={classes.then}>
        {needsHuman ? 'then it still waits for you' : 'then it happens by itself, if you do not decide'}
      </span>
    </>
  );
}
