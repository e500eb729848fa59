import { IconFilterOff, IconSeedling } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useAgent } from '../api/agent.tsx';
import { type AnswerOf, callApi } from '../api/call.ts';
import { Empty } from '../design/empty.tsx';
import { Failure } from '../design/failure.tsx';
import { Panel } from '../design/panel.tsx';
import { MemoryListItem, MemoryListSkeleton } from './memory-list-item.tsx';
import classes from './timeline.module.css';
import { filtersOf, useView } from './use-view.ts';

type Memory = AnswerOf<'POST /memories/query'>['memories'][number];
type Line = { readonly day: string } | { readonly memory: Memory };

const PAGE = 100;
const ROW_PIXELS = 92;
const day = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Lists the memories that match the filters by day, newest first. Only the visible rows are rendered. */
export function Timeline() {
  const { agent } = useAgent();
  const { view } = useView();
  const input = { limit: PAGE, ...(view.type && { type: view.type }), ...filtersOf(view) };
  const pages = useInfiniteQuery({
    queryKey: [agent.id, 'memories', 'timeline', input],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        'POST /memories/query',
        { ...input, ...(pageParam !== null && { cursor: pageParam }) },
        { agent: agent.id, signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const lines = useMemo(
    () => linesOf(pages.data?.pages.flatMap(({ memories }) => memories) ?? []),
    [pages.data],
  );

  if (pages.isError && lines.length === 0) {
    return <Failure error={pages.error} retry={() => void pages.refetch()} />;
  }
  return (
    <Panel flush>
      {pages.isPending ? (
        <MemoryListSkeleton />
      ) : lines.length === 0 ? (
        <Nothing filtered={Object.keys(input).length > 1} />
      ) : (
        <Lines
          lines={lines}
          more={pages.hasNextPage && !pages.isFetchingNextPage ? () => void pages.fetchNextPage() : undefined}
        />
      )}
    </Panel>
  );
}

function Lines({ lines, more }: { lines: readonly Line[]; more: (() => void) | undefined }) {
  const list = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => setOffset(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => ROW_PIXELS,
    overscan: 6,
    scrollMargin: offset,
  });
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

function linesOf(memories: readonly Memory[]): Line[] {
  let current = '';
  return memories.flatMap((memory) => {
    const name = day.format(new Date(memory.occurred_at));
    if (name === current) return [{ memory }];
    current = name;
    return [{ day: name }, { memory }];
  });
}

function Nothing({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <Empty icon={IconFilterOff} title="No memory passes these filters">
      Memories that the agent keeps to itself are not found by tag or category.
    </Empty>
  ) : (
    <Empty icon={IconSeedling} title="No memories yet">
      They appear here as your agent writes them.
    </Empty>
  );
}
