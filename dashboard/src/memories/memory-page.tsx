import { Alert, Anchor, Button, Group, Modal, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArchive, IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams } from 'wouter';
import { ApiError } from '../api/error.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { MemoryText } from '../design/memory-text.tsx';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { PATHS } from '../navigation/paths.ts';
import { Facts } from './facts.tsx';
import classes from './memory-page.module.css';
import { UndecidedNotice } from './undecided-notice.tsx';
import type { Version } from './version.ts';
import { VersionHistory } from './version-history.tsx';

/** Shows a memory: its content, its origin, and its versions. */
export default function MemoryPage() {
  const { id } = useParams<{ id: string }>();
  const history = useAnswer('memories', 'GET /memories/{id}/history', { id });
  const back = (
    <Anchor component={Link} href={PATHS.memories} size="sm" className={classes.back}>
      <IconArrowLeft size={15} aria-hidden="true" /> All memories
    </Anchor>
  );
  if (history.error instanceof ApiError && history.error.status === 404) {
    return (
      <PageLayout title="Memory" lead={back}>
        <Empty icon={IconArchive} title="There is no such memory">
          It was erased for good, or the agent keeps it to itself.
        </Empty>
      </PageLayout>
    );
  }
  return (
    <PageLayout title="Memory" lead={back}>
      <QueryResult of={history} loading={<Skeleton height={320} radius="lg" />}>
        {({ versions }) => <MemoryOf id={id} versions={versions} />}
      </QueryResult>
    </PageLayout>
  );
}

function MemoryOf({ id, versions }: { id: string; versions: readonly Version[] }) {
  const [current] = versions;
  if (!current) return null;
  const archived = current.change === 'archived';
  return (
    <>
      {archived ? <ArchivedNotice id={id} /> : <UndecidedNotice id={id} />}
      <div className={classes.columns}>
        <div className={classes.main}>
          <Panel>
            <Group justify="space-between" mb="sm">
              <TypeMark type={current.type} category={current.category} />
              {!archived && <Archive id={id} memory={current} />}
            </Group>
            <MemoryText text={current.content} size="large" />
          </Panel>
          <VersionHistory versions={versions} />
        </div>
        <Facts id={id} versions={versions} />
      </div>
    </>
  );
}

function ArchivedNotice({ id }: { id: string }) {
  const restore = useAction('POST /memories/{id}/restore', {
    touches: ['memories', 'overview'],
    done: 'The memory is back.',
  });
  return (
    <Alert icon={<IconArchive size={18} />} color="yellow" variant="light" title="This memory is archived">
      <Group justify="space-between">
        <Text size="sm">It is out of recall and boot. After 30 days it is erased for good.</Text>
        <Button size="xs" loading={restore.isPending} onClick={() => restore.mutate({ id })}>
          Restore
        </Button>
      </Group>
    </Alert>
  );
}

const NEVER_ARCHIVED: readonly (string | null)[] = ['soul', 'identity'];

function Archive({ id, memory }: { id: string; memory: Version }) {
  const [asking, { open, close }] = useDisclosure();
  const archive = useAction('DELETE /memories/{id}', {
    touches: ['memories', 'overview', 'guardian'],
    done: ({ outcome }) =>
      outcome === 'queued' ? 'The Guardian holds this: decide on it there.' : 'The memory is archived.',
  });
  if (memory.type === 'core' && NEVER_ARCHIVED.includes(memory.category)) {
    return (
      <Text size="sm" c="dimmed">
        Part of who it is: it cannot be archived
      </Text>
    );
  }
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconArchive size={15} />} onClick={open}>
        Archive
      </Button>
      <Modal opened={asking} onClose={close} title="Archive this memory?">
        <Text size="sm" mb="lg">
          Your agent will not recall it any more. You and the agent can restore it for 30 days.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Keep it
          </Button>
          <Button loading={archive.isPending} onClick={() => archive.mutate({ id }, { onSettled: close })}>
            Archive it
          </Button>
        </Group>
      </Modal>
    </>
  );
}
