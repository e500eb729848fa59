import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Panel } from '../design/panel.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { Change, whatOf } from './change.tsx';
import { Decide, type Decision } from './decide.tsx';
import { Drift } from './drift.tsx';
import classes from './entry.module.css';
import type { Entry, Settings } from './guardian.tsx';
import { Left } from './left.tsx';
import { whoOf } from './who.ts';

interface Props {
  readonly entry: Entry;
  readonly settings: Settings;
}

/** A change that waits: what it is, how far it goes, how long there is, and the decision. */
export function PendingEntry({ entry, settings }: Props) {
  const [deciding, { open, close }] = useDisclosure();
  const [decision, setDecision] = useState<Decision>('approve');
  const decide = (wanted: Decision) => {
    setDecision(wanted);
    open();
  };
  const category = (entry.current ?? entry.proposed)?.category ?? null;
  return (
    <Panel
      title={whatOf(entry)}
      hint={
        <>
          Asked for by {whoOf(entry.requested_by)} <When at={entry.requested_at} />
        </>
      }
      action={<TypeMark type="core" category={category} />}
    >
      <Change entry={entry} />
      <dl className={classes.facts}>
        <div>
          <dt>How far it goes</dt>
          <dd>
            <Drift drift={entry.drift} limit={settings.drift_limit} />
          </dd>
        </div>
        <div>
          <dt>Time left</dt>
          <dd>
            <TimeLeft entry={entry} limit={settings.drift_limit} />
          </dd>
        </div>
      </dl>
      <Group mt="lg" gap="sm">
        <Button leftSection={<IconCheck size={17} />} onClick={() => decide('approve')}>
          Approve
        </Button>
        <Button variant="default" leftSection={<IconX size={17} />} onClick={() => decide('reject')}>
          Reject
        </Button>
      </Group>
      <Decide entry={entry} decision={decision} opened={deciding} close={close} />
    </Panel>
  );
}

function TimeLeft({ entry, limit }: { entry: Entry; limit: number }) {
  if (entry.status === 'waiting') return <>None. It waits for you, for as long as you need.</>;
  const large = entry.drift > limit || entry.proposed === null;
  return (
    <>
      <Left until={entry.cooling_until} />
      <span className={classes.then}>
        {large ? 'then it still waits for you' : 'then it happens by itself, if you do not decide'}
      </span>
    </>
  );
}
