import { t } from '@lingui/core/macro';
import type { fields } from '@svc-memory/core/contract';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { endOfLocalDay, isDay, startOfLocalDay } from '../design/local-day.ts';
import { TYPES } from '../design/type-mark.tsx';

/** The views of the memories. */
export const VIEWS = [
  { value: 'timeline', label: t`Timeline` },
  { value: 'calendar', label: t`Calendar` },
  { value: 'map', label: t`Map` },
  { value: 'archived', label: t`Archived` },
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

/** The orders of the list. */
export const ORDERS = [
  { value: 'newest', label: t`Newest first`, sort: 'occurred_at', order: 'desc' },
  { value: 'oldest', label: t`Oldest first`, sort: 'occurred_at', order: 'asc' },
  { value: 'changed', label: t`Last changed first`, sort: 'updated_at', order: 'desc' },
  { value: 'important', label: t`Most important first`, sort: 'importance', order: 'desc' },
] as const;

/** The filter `space` for what is in no space. */
export const OWN = 'own';

/** Who may have written a memory, in the words of a human. */
export const WRITER_OPTIONS = [
  { value: 'agent', label: t`the agent` },
  { value: 'human', label: t`a human` },
  { value: 'sync', label: t`a sync` },
  { value: 'import', label: t`an import` },
  { value: 'webhook', label: t`a compaction` },
  { value: 'reflection', label: t`a reflection` },
] as const satisfies readonly { value: fields.Source; label: string }[];

/** What the page shows. The query string holds all of it, so that a link to the page keeps it. */
export interface MemoriesView {
  readonly show: (typeof VIEWS)[number]['value'];
  readonly query: string;
  readonly type: (typeof TYPES)[number] | undefined;
  readonly category: (typeof CORE_CATEGORIES)[number] | undefined;
  readonly tag: string;
  /** A name that the text holds. */
  readonly name: string;
  /** The id of a space, or `own`; nothing for all. */
  readonly space: string;
  readonly since: string;
  readonly until: string;
  readonly source: (typeof WRITER_OPTIONS)[number]['value'] | undefined;
  readonly key: string;
  readonly session: string;
  /** The least importance, 0 to 1, or nothing. */
  readonly importance: string;
  /** One of the author's own fields: `name=value`. */
  readonly metadata: string;
  readonly order: (typeof ORDERS)[number]['value'];
}

/** The fields of a view that narrow the list, in the order in which the page names them. */
const FILTERS = [
  'type',
  'category',
  'tag',
  'name',
  'space',
  'since',
  'until',
  'source',
  'key',
  'session',
  'importance',
  'metadata',
] as const satisfies readonly (keyof MemoriesView)[];

export type FilterName = (typeof FILTERS)[number];

/** The filters that a list takes and a search by meaning does not. */
const LISTS_ONLY: readonly FilterName[] = ['name', 'source', 'key', 'importance'];

/** Returns the filters that narrow what is shown. */
export function filtersInForce(view: MemoriesView): FilterName[] {
  const taken = view.query === '' ? FILTERS : FILTERS.filter((name) => !LISTS_ONLY.includes(name));
  return taken.filter((name) => isWhole(name, view[name] ?? ''));
}

/** Whether a filter can narrow a list: a link may hold anything, and what is typed may not be whole yet. */
function isWhole(name: FilterName, value: string): boolean {
  if (name === 'since' || name === 'until') return isDay(value);
  if (name === 'importance') return isShare(value);
  if (name === 'metadata') return metadataOf(value) !== undefined;
  return value !== '';
}

/** Whether a text is a number from 0 to 1. */
function isShare(text: string): boolean {
  return text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1;
}

/** What the filters are called. */
export const FILTER_NAMES: Readonly<Record<FilterName, string>> = {
  type: t`type`,
  category: t`category`,
  tag: t`tag`,
  name: t`name`,
  space: t`space`,
  since: t`since`,
  until: t`until`,
  source: t`source`,
  key: t`key`,
  session: t`session`,
  importance: t`importance`,
  metadata: t`metadata`,
};

/** The changes that leave a view without filters. */
export const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, undefined]));

type Changes = { readonly [Name in keyof MemoriesView]?: MemoriesView[Name] | undefined };

/** Reads the view from the query string. `change` writes it there: Back returns to the view before, unless it is replaced. */
export function useView() {
  const [search, setSearch] = useSearchParams();
  const view = useMemo((): MemoriesView => {
    const read = (name: keyof MemoriesView) => search.get(name) ?? '';
    const among = <Value extends string>(values: readonly Value[], name: keyof MemoriesView) =>
      values.find((value) => value === read(name));
    return {
      show:
        among(
          VIEWS.map(({ value }) => value),
          'show',
        ) ?? 'timeline',
      query: read('query'),
      type: among(TYPES, 'type'),
      category: among(CORE_CATEGORIES, 'category'),
      tag: read('tag'),
      name: read('name'),
      space: read('space'),
      since: read('since'),
      until: read('until'),
      source: among(
        WRITER_OPTIONS.map(({ value }) => value),
        'source',
      ),
      key: read('key'),
      session: read('session'),
      importance: read('importance'),
      metadata: read('metadata'),
      order:
        among(
          ORDERS.map(({ value }) => value),
          'order',
        ) ?? 'newest',
    };
  }, [search]);
  const change = useCallback(
    (changes: Changes, { replace = false }: { readonly replace?: boolean } = {}) =>
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
        { replace },
      ),
    [setSearch],
  );
  return { view, change };
}

/** Returns the space that a view is narrowed to, in the form of the service's input. */
export function spaceOf({ space }: MemoriesView) {
  return space === '' ? {} : { space_id: space };
}

/** Returns the filters that a search takes too, in the form of the service's input. */
export function filtersOf(view: MemoriesView) {
  const { category, tag, since, until, session, metadata } = view;
  const field = metadataOf(metadata);
  return {
    ...(category && { category }),
    ...(tag !== '' && { tags: [tag] }),
    ...spaceOf(view),
    ...(isDay(since) && { since: startOfLocalDay(since) }),
    ...(isDay(until) && { until: endOfLocalDay(until) }),
    ...(session !== '' && { session_id: session }),
    ...(field && { metadata: field }),
  };
}

/** Returns all filters and the order of a list, in the form of the service's input. */
export function listingOf(view: MemoriesView) {
  const { type, name, source, key, importance, order } = view;
  const { sort, order: direction } = ORDERS.find(({ value }) => value === order) ?? ORDERS[0];
  return {
    ...filtersOf(view),
    ...(type && { type }),
    ...(name !== '' && { entity: name }),
    ...(source && { source }),
    ...(key !== '' && { key }),
    ...(isShare(importance) && { importance_min: Number(importance) }),
    sort,
    order: direction,
  };
}

/** Reads `name=value`. A value that is JSON, such as a number, is taken as that, and any other as a text. */
function metadataOf(text: string): Record<string, unknown> | undefined {
  const [, name = '', value = ''] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
  if (name === '' || value === '') return undefined;
  try {
    return { [name]: JSON.parse(value) };
  } catch {
    return { [name]: value };
  }
}
