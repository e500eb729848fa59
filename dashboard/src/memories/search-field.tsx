import { t } from '@lingui/core/macro';
import { ActionIcon, Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useView } from './use-view.ts';

const PAUSE_MS = 140;

/** The search field. The search runs while the human types. A slash leads to it. */
export function SearchField() {
  const { view, change } = useView();
  const [search] = useSearchParams();
  const [text, setText] = useState(view.query);
  const field = useRef<HTMLInputElement>(null);
  const applied = useRef(view.query);
  // Back returns to what was searched before, not to each letter of it.
  const apply = useDebouncedCallback((query: string, replace: boolean) => {
    applied.current = query;
    if (query !== view.query) change({ query }, { replace });
  }, PAUSE_MS);
  const isAsked = search.has('find');
  useHotkeys([['/', () => field.current?.focus()]]);
  useEffect(() => {
    if (isAsked) field.current?.focus();
  }, [isAsked]);
  // A link, a saved view or Back changes the query from outside. What was typed meanwhile is not taken back.
  useEffect(() => {
    if (view.query === applied.current) return;
    applied.current = view.query;
    setText(view.query);
  }, [view.query]);
  return (
    <TextInput
      ref={field}
      aria-label={t`Search memories`}
      placeholder={t`Ask for anything: who approves deploys on a Friday?`}
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
            aria-label={t`Clear the search`}
            onClick={() => {
              setText('');
              apply.cancel();
              applied.current = '';
              change({ query: '' });
            }}
          >
            <IconX size={16} />
          </ActionIcon>
        )
      }
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        apply(value.trim(), view.query !== '');
      }}
    />
  );
}
