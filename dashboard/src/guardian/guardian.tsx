import { Anchor, Skeleton, Stack } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Answer } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { Answered } from '../design/answered.tsx';
import { Empty } from '../design/empty.tsx';
import { Page } from '../design/page.tsx';
import { Panel } from '../design/panel.tsx';
import { PAGES } from '../pages.ts';
import { History } from './history.tsx';
import { PendingEntry } from './pending-entry.tsx';

export type Entry = Answer<'GET /guardian/{id}'>['entry'];
export type Settings = Answer<'GET /guardian/settings'>['settings'];

const MOST = 100;

/** Changes to who the agent is: those that wait, and what became of the others. */
export default function Guardian() {
  const waiting = useAnswer('guardian', 'GET /guardian', { status: 'waiting', limit: MOST });
  const cooling = useAnswer('guardian', 'GET /guardian', { status: 'cooling', limit: MOST });
  const settings = useAnswer('guardian', 'GET /guardian/settings', {});
  return (
    <Page
      title="Guardian"
      lead="Changes to who your agent is do not happen at once. They wait here, so that nobody can talk it into being someone else."
    >
      <Answered of={settings} loading={<Loading />}>
        {({ settings }) => (
          <Answered of={waiting} loading={<Loading />}>
            {(waiting) => (
              <Answered of={cooling} loading={<Loading />}>
                {(cooling) => (
                  <Queue entries={[...waiting.entries, ...cooling.entries]} settings={settings} />
                )}
              </Answered>
            )}
          </Answered>
        )}
      </Answered>
      <History />
    </Page>
  );
}

function Queue({ entries, settings }: { entries: readonly Entry[]; settings: Settings }) {
  if (entries.length === 0) {
    return (
      <Panel>
        <Empty icon={IconShieldCheck} title="Nothing waits for you">
          When your agent, or somebody in its name, asks to change what is protected (
          {settings.categories.join(', ')}), you see it here for {hours(settings.cooling_hours)} before it can
          happen.{' '}
          <Anchor component={Link} href={`${PAGES.settings}?tab=guardian`} size="sm" underline="always">
            What is protected
          </Anchor>
        </Empty>
      </Panel>
    );
  }
  return (
    <Stack component="section" gap="lg" aria-label="Waiting for a decision">
      {entries.map((entry) => (
        <PendingEntry key={entry.id} entry={entry} settings={settings} />
      ))}
    </Stack>
  );
}

function hours(count: number): string {
  if (count % 24 === 0 && count > 24) return `${count / 24} days`;
  return count === 1 ? 'an hour' : `${count} hours`;
}

function Loading() {
  return <Skeleton height={280} radius="lg" />;
}
