import { t } from '@lingui/core/macro';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { memoryPath } from '../navigation/paths.ts';
import classes from './browse.module.css';
import { BulkActions } from './bulk-actions.tsx';
import { type Listed, MemoryPreview } from './memory-preview.tsx';

/** Memories that are archived at once. */
const MOST_CHOSEN = 100;

interface Browsing {
  /** The memory that the preview shows and the keys act on. */
  readonly current: string | undefined;
  readonly chosen: ReadonlySet<string>;
  /** Whether a preview stands beside the list, so that a click shows a memory there. */
  readonly hasPreview: boolean;
  show(id: string): void;
  toggle(id: string): void;
}

const Context = createContext<Browsing | undefined>(undefined);

/** What a row of the list is told: whether it is current or chosen. Undefined where a list is not browsed. */
export const useBrowsing = () => useContext(Context);

interface Props {
  /** The loaded memories in the order of the list. */
  readonly memories: readonly Listed[];
  /** Brings a row into the window. */
  readonly reveal?: (index: number) => void;
  readonly children: ReactNode;
}

/**
 * A list with a preview beside it. `j` and `k` go down and up, Enter opens, `x` chooses; what is chosen can be archived
 * together.
 */
export function Browse({ memories, reveal, children }: Props) {
  const [, go] = useLocation();
  const [current, setCurrent] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const hasPreview = useMediaQuery('(min-width: 75em)', false, { getInitialValueInEffect: false }) ?? false;
  const index = memories.findIndex(({ id }) => id === current);
  const shown = memories[index];
  const toggle = useCallback(
    (id: string) =>
      setChosen((before) => {
        const next = new Set(before);
        if (!next.delete(id) && next.size < MOST_CHOSEN) next.add(id);
        return next;
      }),
    [],
  );
  const step = (by: number) => {
    const next = Math.max(0, Math.min(memories.length - 1, index === -1 ? 0 : index + by));
    const memory = memories[next];
    if (!memory) return;
    setCurrent(memory.id);
    reveal?.(next);
  };
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ['x', () => shown && toggle(shown.id)],
    ['o', () => shown && go(memoryPath(shown.id, shown.space_id))],
    ['Escape', () => setChosen(new Set())],
  ]);
  // What is archived or filtered out is not chosen any more.
  useEffect(() => {
    const there = new Set(memories.map(({ id }) => id));
    setChosen((before) => {
      const kept = [...before].filter((id) => there.has(id));
      return kept.length === before.size ? before : new Set(kept);
    });
  }, [memories]);
  const browsing = useMemo(
    () => ({ current, chosen, hasPreview, show: setCurrent, toggle }),
    [current, chosen, hasPreview, toggle],
  );
  return (
    <Context value={browsing}>
      <div className={classes.browse} data-preview={hasPreview}>
        <div className={classes.list}>{children}</div>
        {hasPreview && (
          <aside className={classes.preview} aria-label={t`Preview`}>
            <MemoryPreview memory={shown} />
          </aside>
        )}
      </div>
      <BulkActions
        memories={memories.filter(({ id }) => chosen.has(id))}
        clear={() => setChosen(new Set())}
      />
    </Context>
  );
}
