import type { fields } from '@svc-memory/core/contract';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { TYPES } from '../design/type-mark.tsx';

/** The ways to look at memories. */
export const VIEWS = [
  { value: 'timeline', label: 'Timeline' },
  { value: 'calendar', label: 'Calendar' },
  { value: 'map', label: 'Map' },
  { value: 'archived', label: 'Archived' },
] as const;

/** The categories of core memories. */
export const CATEGORIES = [
  'soul',
  'identity',
  'relationship',
  'operations',
  'tools',
  'routine',
  'reorient',
  'accounts',
] as const satisfies readonly fields.Category[];

/** What the page shows: all of it is in its address, so that it can be kept and passed on. */
export interface View {
  readonly show: (typeof VIEWS)[number]['value'];
  readonly query: string;
  readonly type: (typeof TYPES)[number] | undefined;
  readonly category: (typeof CATEGORIES)[number] | undefined;
  readonly tag: string;
  readonly since: string;
  readonly until: string;
}

/** Reads what is to be shown from the address, and changes it there. */
export function useView() {
  const [search, setSearch] = useSearchParams();
  const view = useMemo((): View => {
    const read = (name: keyof View) => search.get(name) ?? '';
    return {
      show: VIEWS.find(({ value }) => value === read('show'))?.value ?? 'timeline',
      query: read('query'),
      type: TYPES.find((type) => type === read('type')),
      category: CATEGORIES.find((category) => category === read('category')),
      tag: read('tag'),
      since: read('since'),
      until: read('until'),
    };
  }, [search]);
  const change = useCallback(
    (changes: Partial<View>) =>
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

/** The filters of a view as the service takes them. */
export function filtersOf({ category, tag, since, until }: View) {
  return {
    ...(category && { category }),
    ...(tag !== '' && { tags: [tag] }),
    ...(since !== '' && { since }),
    ...(until !== '' && { until }),
  };
}
