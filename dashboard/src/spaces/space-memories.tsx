import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconSearch, IconSeedling } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useList } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { Failure } from '../design/failure.tsx';
import { Panel } from '../design/panel.tsx';
import { ShowMore } from '../design/show-more.tsx';
import { MemoryListItem, MemoryListSkeleton } from '../memories/memory-list-item.tsx';
import { PATHS } from '../navigation/paths.ts';

const PAGE = 20;

/** Lists what is in a space, newest first, each with who wrote it. */
export function SpaceMemories({ space: { id } }: { space: { readonly id: string } }) {
  const list = useList('memories', 'POST /memories/query', { space_id: id, limit: PAGE });
  const memories = list.data?.pages.flatMap((page) => page.memories) ?? [];
  return (
    <Panel
      title={t`What is in it`}
      hint={t`Newest first, with who wrote it`}
      action={
        memories.length > 0 && (
          <Button
            component={Link}
            href={`${PATHS.memories}?space=${id}`}
            size="xs"
            variant="default"
            leftSection={<IconSearch size={15} />}
          >
            <Trans>Search in it</Trans>
          </Button>
        )
      }
      flush
    >
      {list.isPending ? (
        <MemoryListSkeleton />
      ) : list.isError && memories.length === 0 ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : memories.length === 0 ? (
        <Empty icon={IconSeedling} title={t`Nothing is in it yet`}>
          <Trans>A member writes into it by naming the space: with space_id, or by its memory tools.</Trans>
        </Empty>
      ) : (
        memories.map((memory) => <MemoryListItem key={memory.id} memory={memory} saysSpace={false} />)
      )}
      <ShowMore of={list} label={t`Show more`} />
    </Panel>
  );
}
