import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core';
import { useDidUpdate, useDisclosure } from '@mantine/hooks';
import { escapeUnseen } from '@svc-memory/core/text';
import { IconArchive, IconArrowLeft, IconPencil } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { useDraft } from '../api/draft.ts';
import { ApiError } from '../api/error.ts';
import { useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { PATHS } from '../navigation/paths.ts';
import { EditForm } from './edit-form.tsx';
import { Facts } from './facts.tsx';
import classes from './memory-page.module.css';
import { Notices, useUndecided } from './notices.tsx';
import { RelatedMemories } from './related.tsx';
import { Usage } from './usage.tsx';
import { useArchive } from './use-correct.ts';
import { isReadable, type Memory, placeOf, type Version } from './version.ts';
import { VersionHistory } from './version-history.tsx';

/** Shows a memory, with its origin and what became of it, and lets the human correct it. */
export default function MemoryPage() {
  const { id } = useParams<{ id: string }>();
  const { agent } = useAgent();
  const [search] = useSearchParams();
  const user = search.get('user') ?? undefined;
  const place = placeOf({ space_id: search.get('space') ?? undefined, user_id: user });
  const history = useAnswer('memories', 'GET /memories/{id}/history', {
    id,
    ...place,
  });
  // Asked for at the same time; a memory of a space may turn out to be of one only now.
  useUndecided({ id, ...place });
  const back = (
    <Anchor
      component={Link}
      href={user === undefined ? PATHS.memories : PATHS.people}
      size="sm"
      className={classes.back}
    >
      <IconArrowLeft size={15} aria-hidden="true" /> {user === undefined ? t`All memories` : t`People`}
    </Anchor>
  );
  if (history.error instanceof ApiError && history.error.status === 404) {
    return (
      <PageLayout title={t`Memory`} lead={back}>
        <Empty icon={IconArchive} title={t`There is no such memory`}>
          {user === undefined ? (
            <Trans>
              It was erased for good, or the agent keeps it to itself. What is about one of its users is found
              under{' '}
              <Anchor component={Link} href={PATHS.people} size="sm" underline="always">
                People
              </Anchor>
              .
            </Trans>
          ) : (
            <Trans>
              It was erased for good, the agent keeps it to itself, or it is not about{' '}
              <PlainText text={user} />.
            </Trans>
          )}
        </Empty>
      </PageLayout>
    );
  }
  return (
    <PageLayout title={history.data ? titleOf(history.data.memory) : t`Memory`} lead={back}>
      <QueryResult of={history} loading={<Loading />}>
        {({ memory, versions, superseded }) => (
          <MemoryOf
            key={`${agent.id} ${memory.id}`}
            memory={memory}
            versions={versions}
            superseded={superseded}
          />
        )}
      </QueryResult>
    </PageLayout>
  );
}

const TITLE_CHARACTERS = 56;

/** Returns the first words of a memory. */
function titleOf(memory: Memory): string {
  if (!isReadable(memory)) return t`A memory it keeps to itself`;
  const line = memory.content.trim().replace(/\s+/g, ' ');
  const [words = line] = new RegExp(`^.{1,${TITLE_CHARACTERS}}(?=\\s|$)`, 'u').exec(line) ?? [
    [...line].slice(0, TITLE_CHARACTERS).join(''),
  ];
  return escapeUnseen(words.length < line.length ? `${words}…` : words);
}

interface Props {
  readonly memory: Memory;
  readonly versions: readonly Version[];
  /** Ids of the memories whose place it took. */
  readonly superseded: readonly string[];
}

function MemoryOf({ memory, versions, superseded }: Props) {
  const undecided = useUndecided(memory);
  const draft = useDraft(memory.id);
  // What the human had typed before they left the page is shown at once.
  const [editing, { open, close }] = useDisclosure(isReadable(memory) && draft.read() !== undefined);
  const edit = useRef<HTMLButtonElement>(null);
  useDidUpdate(() => {
    // The focus was in the form that is gone, unless the human has moved on meanwhile.
    if (!editing && document.activeElement === document.body) edit.current?.focus();
  }, [editing]);
  if (undecided.isLoading) return <Loading />;
  const archived = memory.archived_at !== undefined;
  const canChange = !archived && isReadable(memory) && undecided.pending === undefined;
  return (
    <>
      <Notices memory={memory} undecided={undecided} />
      <div className={classes.columns} data-in-order="narrow">
        <div className={classes.main} data-in-order="always">
          <Panel>
            <Group justify="space-between" mb="sm">
              <TypeMark type={memory.type} category={memory.category} />
              {!archived && !editing && (
                <Group gap="xs">
                  {canChange && (
                    <Button ref={edit} size="xs" leftSection={<IconPencil size={15} />} onClick={open}>
                      <Trans>Edit</Trans>
                    </Button>
                  )}
                  <Archive memory={memory} />
                </Group>
              )}
            </Group>
            {/* Whatever happens to it meanwhile, what the human has typed stays. */}
            {editing && isReadable(memory) ? (
              <EditForm memory={memory} versions={versions} close={close} />
            ) : (
              <MemoryText text={memory.content} size="large" />
            )}
          </Panel>
          {versions.length > 1 && (
            <VersionHistory memory={memory} versions={versions} canReturn={canChange && !editing} />
          )}
          <RelatedMemories memory={memory} superseded={superseded} />
        </div>
        <div className={classes.main}>
          <Facts memory={memory} versions={versions} />
          <Usage memory={memory} />
        </div>
      </div>
    </>
  );
}

const NEVER_ARCHIVED: readonly (string | null)[] = ['soul', 'identity'];

function Archive({ memory }: { memory: Memory }) {
  const archive = useArchive();
  if (NEVER_ARCHIVED.includes(memory.category)) {
    return (
      <Text size="sm" c="dimmed">
        <Trans>Part of who it is: it cannot be archived</Trans>
      </Text>
    );
  }
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconArchive size={15} />}
      loading={archive.isPending}
      onClick={() => archive.mutate({ id: memory.id, ...placeOf(memory) })}
    >
      <Trans>Archive</Trans>
    </Button>
  );
}

/** In the shape of the page. */
function Loading() {
  return (
    <div className={classes.columns} aria-busy="true">
      <Panel>
        <Skeleton height={12} width={120} mb="md" />
        <Skeleton height={18} mb="xs" />
        <Skeleton height={18} width="70%" />
      </Panel>
      <Panel title={t`About it`}>
        {[90, 120, 80].map((width) => (
          <Skeleton key={width} height={14} width={width} mb="sm" />
        ))}
      </Panel>
    </div>
  );
}
