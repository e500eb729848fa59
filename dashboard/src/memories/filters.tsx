import { ActionIcon, Button, Chip, Group, Kbd, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { TYPES } from '../design/type-mark.tsx';
import classes from './filters.module.css';
import { CATEGORIES, useView } from './use-view.ts';

const PAUSE_MS = 140;

/** What to look for. Searching begins while the human types. */
export function Filters() {
  const { view, change } = useView();
  const { show, type, category, tag, since, until } = view;
  const filtered = [type, category, tag, since, until].some((value) => value !== undefined && value !== '');
  return (
    <search className={classes.filters}>
      {show === 'timeline' && <SearchField />}
      <Group gap="sm" align="center">
        <Chip.Group
          value={type ?? 'all'}
          onChange={(next) => change({ type: TYPES.find((one) => one === next), category: undefined })}
        >
          <Group gap={6} role="group" aria-label="Type">
            <Chip value="all" size="sm">
              All
            </Chip>
            {TYPES.map((one) => (
              <Chip key={one} value={one} size="sm">
                {one}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        {show === 'timeline' && (
          <>
            {type === 'core' && (
              <Select
                aria-label="Category"
                placeholder="Any category"
                size="xs"
                w={150}
                clearable
                data={[...CATEGORIES]}
                value={category ?? null}
                onChange={(next) => change({ category: CATEGORIES.find((one) => one === next) })}
              />
            )}
            <Typed label="Tag" value={tag} change={(next) => change({ tag: next })} />
            <TextInput
              aria-label="From"
              type="date"
              size="xs"
              value={since}
              onChange={({ currentTarget }) => change({ since: currentTarget.value })}
            />
            <TextInput
              aria-label="To"
              type="date"
              size="xs"
              value={until}
              onChange={({ currentTarget }) => change({ until: currentTarget.value })}
            />
          </>
        )}
        {filtered && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => change({ type: undefined, category: undefined, tag: '', since: '', until: '' })}
          >
            Clear
          </Button>
        )}
      </Group>
    </search>
  );
}

function SearchField() {
  const { view, change } = useView();
  const [text, setText] = useState(view.query);
  const field = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback((query: string) => change({ query: query.trim() }), PAUSE_MS);
  useEffect(() => {
    if (new URLSearchParams(window.location.search).has('find')) field.current?.focus();
  }, []);
  return (
    <TextInput
      ref={field}
      aria-label="Search memories"
      placeholder="Ask for anything: who approves deploys on a Friday?"
      size="md"
      maxLength={1_000}
      leftSection={<IconSearch size={18} />}
      rightSection={
        text === '' ? (
          <Kbd size="xs">/</Kbd>
        ) : (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Clear the search"
            onClick={() => {
              setText('');
              search.cancel();
              change({ query: '' });
            }}
          >
            <IconX size={16} />
          </ActionIcon>
        )
      }
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        search(currentTarget.value);
      }}
    />
  );
}

function Typed({ label, value, change }: { label: string; value: string; change: (value: string) => void }) {
  const [text, setText] = useState(value);
  const apply = useDebouncedCallback((next: string) => change(next.trim()), 2 * PAUSE_MS);
  // The address may change from elsewhere, as by "Clear".
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      size="xs"
      w={120}
      maxLength={64}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value);
      }}
    />
  );
}
