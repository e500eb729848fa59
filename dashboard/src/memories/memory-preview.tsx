import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Kbd, Text } from '@mantine/core';
import { IconBook2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { Detail } from '../design/detail.tsx';
import { Empty } from '../design/empty.tsx';
import { formatShare } from '../design/format.ts';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { SpaceName } from '../design/space-name.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { memoryPath, PATHS, spacePath } from '../navigation/paths.ts';
import classes from './memory-preview.module.css';
import { Writer } from './writer.tsx';

type Memory = AnswerOf<'GET /memories/{id}'>['memory'];

/** A memory of a list. A search answers less of it than a query. */
export type Listed = Pick<
  Memory,
  'id' | 'type' | 'category' | 'content' | 'tags' | 'key' | 'occurred_at' | 'importance'
> &
  Partial<Pick<Memory, 'source' | 'session_id' | 'superseded_by' | 'space_id'>>;

/** Shows the whole text of the memory that is chosen in the list beside it. */
export function MemoryPreview({ memory }: { memory: Listed | undefined }) {
  if (!memory) {
    return (
      <Panel>
        <Empty icon={IconBook2} title={t`Choose a memory to read it here`}>
          <Trans>
            <Kbd size="xs">j</Kbd> and <Kbd size="xs">k</Kbd> go down and up, <Kbd size="xs">o</Kbd> opens,{' '}
            <Kbd size="xs">x</Kbd> selects.
          </Trans>
        </Empty>
      </Panel>
    );
  }
  const { id, type, category, content, space_id } = memory;
  return (
    <Panel>
      <Group justify="space-between" mb="sm">
        <TypeMark type={type} category={category} />
        <Button component={Link} href={memoryPath(id, space_id)} size="xs" variant="default">
          <Trans>Open</Trans>
        </Button>
      </Group>
      <MemoryText text={content} />
      <Facts memory={memory} />
      {memory.superseded_by !== undefined && (
        <Text size="sm" c="dimmed" mt="sm">
          <Trans>A newer memory took its place.</Trans>
        </Text>
      )}
    </Panel>
  );
}

function Facts({ memory }: { memory: Listed }) {
  const { tags, key, occurred_at, importance, source, session_id, space_id } = memory;
  return (
    <dl className={classes.facts}>
      {space_id !== undefined && (
        <Detail name={t`Space`}>
          <Link href={spacePath(space_id)} className={classes.link}>
            <SpaceName id={space_id} />
          </Link>
        </Detail>
      )}
      <Detail name={t`Happened`}>
        <When at={occurred_at} />
      </Detail>
      <Detail name={t`Importance`}>{formatShare(importance)}</Detail>
      {source && (
        <Detail name={t`Written by`}>
          <Writer source={source} />
        </Detail>
      )}
      {key !== null && (
        <Detail name={t`Key`}>
          <PlainText text={key} />
        </Detail>
      )}
      {session_id !== undefined && (
        <Detail name={t`Session`}>
          <Link href={`${PATHS.memories}?session=${encodeURIComponent(session_id)}`} className={classes.link}>
            <PlainText text={session_id} />
          </Link>
        </Detail>
      )}
      {tags.length > 0 && (
        <Detail name={t`Tags`}>
          {tags.map((tag) => (
            <Link
              key={tag}
              href={`${PATHS.memories}?tag=${encodeURIComponent(tag)}`}
              className={classes.link}
            >
              <PlainText text={tag} />
            </Link>
          ))}
        </Detail>
      )}
    </dl>
  );
}
