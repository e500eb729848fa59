import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconFilterOff, IconSeedling } from '@tabler/icons-react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer, useList } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { Failure } from '../design/failure.tsx';
import { formatDate } from '../design/format.ts';
import { memoriesOf } from '../design/names.ts';
import { Panel } from '../design/panel.tsx';
import { ShowMore } from '../design/show-more.tsx';
import { TYPES } from '../design/type-mark.tsx';
import { PATHS } from '../navigation/paths.ts';
import { Browse } from './browse.tsx';
import { MemoryListItem, MemoryListSkeleton } from './memory-list-item.tsx';
import classes from './timeline.module.css';
import { filtersInForce, listingOf, type MemoriesView, OWN, useView } from './use-view.ts';

type Memory = AnswerOf<'POST /memories/query'>['memories'][number];
type Line = { readonly day: string } | { readonly memory: Memory };
type Order = MemoriesView['order'];

const PAGE = 100;
const ROW_PIXELS = 74;

/** Lists the memories that match the filters in the chosen order, by day. Only the visible rows are rendered. */
export function Timeline() {
  const { view } = useView();
  const pages = useList('memories', 'POST /memories/query', { limit: PAGE, ...listingOf(view) });
  const memories = useMemo(() => pages.data?.pages.flatMap((page) => page.memories) ?? [], [pages.data]);
  const lines = useMemo(() => linesOf(memories, view.order), [memories, view.order]);
  const reveal = useRef<(line: number) => void>(undefined);
  // After a failure the human says when to try again.
  const readsOn = pages.hasNextPage && !pages.isFetchingNextPage && !pages.isFetchNextPageError;

  if (pages.isError && lines.length === 0) {
    return <Failure error={pages.error} retry={() => void pages.refetch()} />;
  }
  if (pages.isPending) {
    return (
      <Panel flush>
        <MemoryListSkeleton />
      </Panel>
    );
  }
  if (lines.length === 0) {
    return (
      <Panel flush>
        <Nothing filtered={filtersInForce(view).length > 0} />
      </Panel>
    );
  }
  return (
    <Browse
      memories={memories}
      reveal={(index) =>
        reveal.current?.(lines.findIndex((line) => 'memory' in line && line.memory === memories[index]))
      }
    >
      <Panel flush>
        <Total loaded={memories.length} hasMore={pages.hasNextPage} />
        <Lines
          lines={lines}
          reveal={reveal}
          more={readsOn ? () => void pages.fetchNextPage({ cancelRefetch: false }) : undefined}
        />
        {pages.isFetchNextPageError && <ShowMore of={pages} label={t`Show more`} />}
      </Panel>
    </Browse>
  );
}

/** Says how many memories the list has: of all, or of a type, the service has counted them already. */
function Total({ loaded, hasMore }: { loaded: number; hasMore: boolean }) {
  const { view } = useView();
  const { data } = useAnswer('overview', 'GET /dashboard', {});
  const filtered = filtersInForce(view).some((name) => name !== 'type' && name !== 'space');
  const counted = filtered || !data ? [] : countsOf(data, view.space);
  const total = counted.length === 0 ? loaded : sumOf(counted, view.type);
  const isMore = counted.length === 0 && hasMore;
  return (
    <p className={classes.total}>
      {isMore && t`more than `}
      {memoriesOf(total)}
    </p>
  );
}

type Overview = AnswerOf<'GET /dashboard'>;

/** The counts of the places that a list shows; none for a space that the agent is not in. */
function countsOf({ counts, spaces }: Overview, space: string): readonly Overview['counts'][] {
  const shared = spaces.filter(({ id }) => space === '' || id === space).map((one) => one.counts);
  return space === '' || space === OWN ? [counts, ...shared] : shared;
}

function sumOf(counted: readonly Overview['counts'][], type: MemoriesView['type']): number {
  const types = type === undefined ? TYPES : [type];
  return counted.flatMap((counts) => types.map((one) => counts[one])).reduce((sum, count) => sum + count, 0);
}

interface LinesProps {
  readonly lines: readonly Line[];
  readonly more: (() => void) | undefined;
  /** Receives what brings a line into the window. */
  readonly reveal: RefObject<((line: number) => void) | undefined>;
}

function Lines({ lines, more, reveal }: LinesProps) {
  const list = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => setOffset(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => ROW_PIXELS,
    overscan: 6,
    scrollMargin: offset,
  });
  reveal.current = (line) => line >= 0 && virtual.scrollToIndex(line, { align: 'auto' });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= lines.length - PAGE / 4) more();
  }, [more, last, lines.length]);
  return (
    <div ref={list} className={classes.list} style={{ height: virtual.getTotalSize() }}>
      {items.map(({ index, key, start }) => {
        const line = lines[index];
        return (
          line && (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={classes.item}
              style={{ transform: `translateY(${start - offset}px)` }}
            >
              {'day' in line ? (
                <h2 className={classes.day}>{line.day}</h2>
              ) : (
                <MemoryListItem memory={line.memory} />
              )}
            </div>
          )
        );
      })}
    </div>
  );
}

/** Puts a line with the day before the memories of each day. By importance there are no days. */
function linesOf(memories: readonly Memory[], order: Order): Line[] {
  if (order === 'important') return memories.map((memory) => ({ memory }));
  let current = '';
  return memories.flatMap((memory) => {
    const name = formatDate(order === 'changed' ? memory.updated_at : memory.occurred_at);
    if (name === current) return [{ memory }];
    current = name;
    return [{ day: name }, { memory }];
  });
}

function Nothing({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <Empty icon={IconFilterOff} title={t`No memory passes these filters`}>
      <Trans>Memories that the agent keeps to itself are not found by tag or category.</Trans>
    </Empty>
  ) : (
    <Empty
      icon={IconSeedling}
      title={t`No memories yet`}
      action={
        <Group gap="sm" justify="center">
          <Button component={Link} href={PATHS.connect} variant="default" size="xs">
            <Trans>Connect your agent</Trans>
          </Button>
          <Button component={Link} href={PATHS.transfer} variant="default" size="xs">
            <Trans>Import memories</Trans>
          </Button>
        </Group>
      }
    >
      <Trans>They appear here as your agent writes them.</Trans>
    </Empty>
  );
}
