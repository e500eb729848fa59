import type { fields } from '@svc-memory/core/contract';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { TYPES } from '../design/type-mark.tsx';

/** The views of the memories. */
export const VIEWS = [
  { value: 'timeline', label: 'Timeline' },
  { value: 'calendar', label: 'Calendar' },
  { value: 'map', label: 'Map' },
  { value: 'archived', label: 'Archived' },
] as const;

/** The categories of core memories. */
export const CORE_CATEGORIES = [
  'soul',
  'identity',
  'relationship',
  'operations',
  'tools',
  'routine',
  'reorient',
  'accounts',
] as const satisfies readonly fields.Category[];

/** What the page shows. The query string holds all of it, so that a link to the page keeps it. */
export interface MemoriesView {
  readonly show: (typeof VIEWS)[number]['value'];
  readonly query: string;
  readonly type: (typeof TYPES)[number] | undefined;
  readonly category: (typeof CORE_CATEGORIES)[number] | undefined;
  readonly tag: string;
  readonly since: string;
  readonly until: string;
}

/** Reads the view from the query string. `change` writes it there. */
export function useView() {
  const [search, setSearch] = useSearchParams();
  const view = useMemo((): MemoriesView => {
    const read = (name: keyof MemoriesView) => search.get(name) ?? '';
    return {
      show: VIEWS.find(({ value }) => value === read('show'))?.value ?? 'timeline',
      query: read('query'),
      type: TYPES.find((type) => type === read('type')),
      category: CORE_CATEGORIES.find((category) => category === read('category')),
      tag: read('tag'),
      since: read('since'),
      until: read('until'),
    };
  }, [search]);
  const change = useCallback(
    (changes: Partial<MemoriesView>) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          next.delete('find');
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return { view, change };
}

/** Returns the filters of a view in the form of the service's input. */
export function filtersOf({ category, tag, since, until }: MemoriesView) {
  return {
    ...(category && { category }),
    ...(tag !== '' && { tags: [tag] }),
    ...(since !== '' && { since }),
    ...(until !== '' && { until }),
  };
}
