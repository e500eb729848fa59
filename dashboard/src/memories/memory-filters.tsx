import { ActionIcon, Button, Chip, Group, Kbd, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { TYPES } from '../design/type-mark.tsx';
import classes from './memory-filters.module.css';
import { CORE_CATEGORIES, useView } from './use-view.ts';

const PAUSE_MS = 140;

/** The search field and the filters. The search runs while the human types. */
export function MemoryFilters() {
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
        {show === 'timeline' && <TimelineFilters />}
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

function TimelineFilters() {
  const { view, change } = useView();
  const { type, category, tag, since, until } = view;
  return (
    <>
      {type === 'core' && (
        <Select
          aria-label="Category"
          placeholder="Any category"
          size="xs"
          w={150}
          clearable
          data={[...CORE_CATEGORIES]}
          value={category ?? null}
          onChange={(next) => change({ category: CORE_CATEGORIES.find((one) => one === next) })}
        />
      )}
      <TagField value={tag} change={(next) => change({ tag: next })} />
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

function TagField({ value, change }: { value: string; change: (value: string) => void }) {
  const [text, setText] = useState(value);
  const apply = useDebouncedCallback((next: string) => change(next.trim()), 2 * PAUSE_MS);
  // "Clear" changes the tag from outside.
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      aria-label="Tag"
      placeholder="Tag"
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
