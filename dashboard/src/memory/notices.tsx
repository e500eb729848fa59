import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { IconArchive, IconClockExclamation, IconShieldHalf } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { When } from '../design/when.tsx';
import type { ReviewEntry } from '../guardian/entry.ts';
import { useEntries } from '../guardian/use-entries.ts';
import { serverText } from '../language/server-text.ts';
import { entryPath, memoryPath, spacePath } from '../navigation/paths.ts';
import { useHoldAgain, useRestore } from './use-correct.ts';
import { isReadable, type Memory, placeOf } from './version.ts';

const DECISIONS_READ = 10;

/** What waits for a decision about a memory. */
interface Undecided {
  readonly isLoading: boolean;
  /** The change that waits. */
  readonly pending: ReviewEntry | undefined;
  /** There where nobody has confirmed the memory. */
  readonly added: ReviewEntry | undefined;
}

/** Reads what waits for a decision about a memory. */
export function useUndecided({ id, space_id }: Pick<Memory, 'id' | 'space_id'>): Undecided {
  const { data, isPending } = useEntries({ memory_id: id, limit: DECISIONS_READ }, space_id);
  const entries = data?.entries ?? [];
  return {
    isLoading: isPending,
    pending: entries.find(({ status }) => status === 'cooling' || status === 'waiting'),
    added: entries.find(({ status }) => status === 'added'),
  };
}

interface Props {
  readonly memory: Memory;
  readonly undecided: Undecided;
}

/** Says first what holds of a memory beside its content: a change that waits, an archive, a newer memory. */
export function Notices({ memory, undecided: { pending, added } }: Props) {
  return (
    <>
      {memory.archived_at !== undefined && <ArchivedNotice memory={memory} />}
      {pending ? (
        <GuardianNotice entry={pending} space={memory.space_id}>
          <Trans>A change to this memory waits for you</Trans>
          {pending.concerns[0] === undefined ? '.' : `: ${serverText(pending.concerns[0])}.`}{' '}
          <Trans>Until you have decided, nobody can change it otherwise.</Trans>
        </GuardianNotice>
      ) : (
        added && (
          <GuardianNotice entry={added} space={memory.space_id}>
            <Trans>You have not confirmed this memory yet.</Trans>
          </GuardianNotice>
        )
      )}
      {memory.superseded_by !== undefined && memory.archived_at === undefined && (
        <SupersededNotice memory={memory} by={memory.superseded_by} />
      )}
    </>
  );
}

interface GuardianNoticeProps {
  readonly entry: ReviewEntry;
  readonly space: string | undefined;
  readonly children: ReactNode;
}

function GuardianNotice({ entry, space, children }: GuardianNoticeProps) {
  const href = space === undefined ? entryPath(entry.id) : `${spacePath(space)}#entry-${entry.id}`;
  return (
    <Alert
      icon={<IconShieldHalf size={18} />}
      variant="light"
      color={entry.concerns.length > 0 ? 'red' : 'iris'}
    >
      <Group justify="space-between">
        <Text size="sm">{children}</Text>
        <Anchor component={Link} href={href} size="sm" underline="always">
          <Trans>Decide</Trans>
        </Anchor>
      </Group>
    </Alert>
  );
}

function ArchivedNotice({ memory }: { memory: Memory }) {
  const restore = useRestore();
  return (
    <Alert icon={<IconArchive size={18} />} color="yellow" variant="light" title={t`This memory is archived`}>
      <Group justify="space-between">
        <Text size="sm">
          <Trans>It is out of recall and boot.</Trans>
          {memory.merged_into !== undefined && (
            <Trans>
              {' '}
              <Anchor
                component={Link}
                href={memoryPath(memory.merged_into, memory.space_id, memory.user_id)}
                size="sm"
                underline="always"
              >
                Another memory
              </Anchor>{' '}
              says the same, and stands for both.
            </Trans>
          )}
          {memory.restorable_until !== undefined && (
            <Trans>
              {' '}
              It is erased for good <When at={memory.restorable_until} />.
            </Trans>
          )}
        </Text>
        <Button
          size="xs"
          loading={restore.isPending}
          onClick={() => restore.mutate({ id: memory.id, ...placeOf(memory) })}
        >
          <Trans>Restore</Trans>
        </Button>
      </Group>
    </Alert>
  );
}

function SupersededNotice({ memory, by }: { memory: Memory; by: string }) {
  const hold = useHoldAgain(by);
  return (
    <Alert
      icon={<IconClockExclamation size={18} />}
      color="yellow"
      variant="light"
      title={t`A newer memory has taken its place`}
    >
      <Group justify="space-between">
        <Text size="sm">
          <Trans>
            Recall and boot give{' '}
            <Anchor
              component={Link}
              href={memoryPath(by, memory.space_id, memory.user_id)}
              size="sm"
              underline="always"
            >
              the newer one
            </Anchor>{' '}
            in place of this.
          </Trans>
        </Text>
        {isReadable(memory) && (
          <Button
            size="xs"
            variant="default"
            loading={hold.isPending}
            onClick={() => hold.mutate({ id: memory.id, ...placeOf(memory), superseded_by: null })}
          >
            <Trans>It still holds</Trans>
          </Button>
        )}
      </Group>
    </Alert>
  );
}
