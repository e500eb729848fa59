import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge } from '@mantine/core';
import { Author } from '../design/author.tsx';
import { Detail } from '../design/detail.tsx';
import { Panel } from '../design/panel.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { serverText } from '../language/server-text.ts';
import { Decide } from './decide.tsx';
import type { Deciding } from './decision-dialog.tsx';
import { Drift } from './drift.tsx';
import classes from './entry.module.css';
import { type Danger, dangerOf, type GuardedSpace, type ReviewEntry, type ReviewSettings } from './entry.ts';
import { EntryChange, whatOf } from './entry-change.tsx';
import { Left } from './left.tsx';

interface Props {
  readonly entry: ReviewEntry;
  readonly settings: ReviewSettings;
  /** The space whose memory it is. Default: it is the agent's own. */
  readonly space?: GuardedSpace | undefined;
  readonly ask: (deciding: Deciding) => void;
}

/** Shows a change that waits: its danger, the change, why it waits, its drift, the time left, and the two decisions. */
export function PendingEntry({ entry, settings, space, ask }: Props) {
  const danger = dangerOf(entry, settings, space !== undefined);
  const category = (entry.current ?? entry.proposed)?.category ?? null;
  return (
    <div id={`entry-${entry.id}`} className={classes.entry} data-danger={danger}>
      <Panel
        title={whatOf(entry)}
        hint={
          <>
            {entry.current === null ? t`Wants to be added by` : t`Asked for by`}{' '}
            <Author by={entry.requested_by} /> <When at={entry.requested_at} />
          </>
        }
        action={<TypeMark type="core" category={category} />}
      >
        <div className={classes.danger}>
          <DangerMark danger={danger} inSpace={space !== undefined} />
        </div>
        <EntryChange entry={entry} />
        <dl className={classes.facts}>
          {entry.concerns.length > 0 && <Concerns concerns={entry.concerns} />}
          {entry.current !== null && (
            <Detail name={t`How far it goes`}>
              <Drift drift={entry.drift} limit={settings.drift_limit} />
            </Detail>
          )}
          <Detail name={t`If you do nothing`}>
            <TimeLeft entry={entry} unattended={settings.unattended} />
          </Detail>
        </dl>
        <Decide entry={entry} danger={danger} inSpace={space !== undefined} ask={ask} />
      </Panel>
    </div>
  );
}

/** Lists why the human is needed. The gravest reason comes first. */
function Concerns({ concerns }: Pick<ReviewEntry, 'concerns'>) {
  return (
    <div className={classes.concerns}>
      <dt>
        <Trans>Why it waits</Trans>
      </dt>
      {concerns.map((concern) => (
        <dd key={concern}>{serverText(concern)}</dd>
      ))}
    </div>
  );
}

function TimeLeft({ entry, unattended }: { entry: ReviewEntry } & Pick<ReviewSettings, 'unattended'>) {
  if (entry.status === 'waiting') return <Trans>It waits for you, for as long as you need.</Trans>;
  const needsHuman = entry.concerns.length > 0 || unattended === 'nothing';
  if (needsHuman) {
    return (
      <Trans>
        It waits for you; its cooling ends in <Left until={entry.cooling_until} />.
      </Trans>
    );
  }
  return (
    <Trans>
      <strong className={classes.itself}>It happens by itself</strong> in <Left until={entry.cooling_until} />
      .
    </Trans>
  );
}

const MARKS = {
  large: { children: t`Would make it someone else`, color: 'red', variant: 'filled' },
  meaning: { children: t`Changes what it means`, color: 'yellow', variant: 'dot' },
  harmless: { children: t`Cannot change the meaning`, color: 'teal', variant: 'dot' },
} as const satisfies Record<Danger, unknown>;

/** Names how dangerous it would be to approve a change. */
function DangerMark({ danger, inSpace }: { danger: Danger; inSpace: boolean }) {
  const mark =
    danger === 'large' && inSpace
      ? { ...MARKS.large, children: t`Changes it from the ground up` }
      : MARKS[danger];
  return <Badge size="lg" tt="none" {...mark} />;
}
