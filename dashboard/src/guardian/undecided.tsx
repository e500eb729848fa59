import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { useAnswer } from '../api/hooks.ts';
import { QueryResult } from '../design/query-result.tsx';
import { type Deciding, DecisionDialog } from './decision-dialog.tsx';
import { byGravity, type GuardedSpace, type ReviewEntry, type ReviewSettings } from './entry.ts';
import { PendingEntry } from './pending-entry.tsx';
import { Unconfirmed } from './unconfirmed.tsx';
import { useEntries } from './use-entries.ts';

const MOST = 100;

interface Props {
  readonly settings: ReviewSettings;
  /** The space whose Guardian it is. Default: the agent's. */
  readonly space?: GuardedSpace;
  /** What is shown when nothing waits. */
  readonly nothing: ReactNode;
}

/** Lists the changes that wait, and the memories that nobody has confirmed. */
export function Undecided({ settings, space, nothing }: Props) {
  const waiting = useEntries({ status: 'waiting', limit: MOST }, space?.id);
  const cooling = useEntries({ status: 'cooling', limit: MOST }, space?.id);
  const added = useEntries({ status: 'added', limit: MOST }, space?.id);
  // Entries name the key that asked.
  const keys = useAnswer('keys', 'GET /api-keys', {}, { staleTime: 60_000 });
  const [deciding, setDeciding] = useState<Deciding>();
  const [opened, { open, close }] = useDisclosure();
  const ask = (next: Deciding) => {
    setDeciding(next);
    open();
  };
  if (keys.isPending) return <UndecidedSkeleton />;
  return (
    <>
      {deciding && <DecisionDialog {...{ deciding, opened, close, space }} />}
      <QueryResult of={waiting} loading={<UndecidedSkeleton />}>
        {(waiting) => (
          <QueryResult of={cooling} loading={<UndecidedSkeleton />}>
            {(cooling) => (
              <QueryResult of={added} loading={<UndecidedSkeleton />}>
                {(added) =>
                  [waiting, cooling, added].every(({ entries }) => entries.length === 0) ? (
                    nothing
                  ) : (
                    <Entries
                      pending={[...waiting.entries, ...cooling.entries].sort(byGravity)}
                      added={added.entries}
                      hasMore={[waiting, cooling, added].some(({ next_cursor }) => next_cursor !== null)}
                      settings={settings}
                      space={space}
                      ask={ask}
                    />
                  )
                }
              </QueryResult>
            )}
          </QueryResult>
        )}
      </QueryResult>
    </>
  );
}

interface EntriesProps {
  readonly pending: readonly ReviewEntry[];
  readonly added: readonly ReviewEntry[];
  /** True if the service has more entries than the page shows. */
  readonly hasMore: boolean;
  readonly settings: ReviewSettings;
  readonly space: GuardedSpace | undefined;
  readonly ask: (deciding: Deciding) => void;
}

function Entries({ pending, added, hasMore, settings, space, ask }: EntriesProps) {
  useEffect(() => {
    // The browser looked for the entry before it was there.
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <Stack component="section" gap="lg" aria-label={t`Waiting for a decision`}>
      {pending.map((entry) => (
        <PendingEntry key={entry.id} entry={entry} settings={settings} space={space} ask={ask} />
      ))}
      {added.length > 0 && <Unconfirmed entries={added} space={space} ask={ask} />}
      {hasMore && (
        <Text size="sm" c="dimmed">
          <Trans>There are more. You see the others once you have decided some of these.</Trans>
        </Text>
      )}
    </Stack>
  );
}

/** Takes the place of the list while it loads. */
export function UndecidedSkeleton() {
  return <Skeleton height={280} radius="lg" />;
}
