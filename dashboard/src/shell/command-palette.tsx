import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/spotlight/styles.css';
import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconBook2, IconMoon, IconPlus, IconSearch, IconUserCircle } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { callApi } from '../api/call.ts';
import { PlainText } from '../design/memory-text.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import type { PageEntry } from '../navigation/page-entry.ts';
import { memoryPath, PATHS } from '../navigation/paths.ts';
import classes from './command-palette.module.css';

const PAUSE_MS = 160;
const MEMORIES = 6;
const POSSIBLE = 0.2;
const TEXT_CHARACTERS = 140;

const [store, palette] = createSpotlight();

interface Command {
  readonly id: string;
  readonly label: ReactNode;
  /** What a query is compared with. */
  readonly words: string;
  readonly icon: ReactNode;
  run(): void;
}

interface Props {
  readonly pages: readonly PageEntry[];
  readonly close: () => void;
}

/** Finds everything by its name: pages, what can be done, agents, and memories by meaning. Opened with Ctrl+K. */
export default function CommandPalette({ pages, close }: Props) {
  const [query, setQuery] = useState('');
  const commands = useCommands(pages).filter(({ words }) => matches(words, query));
  const memories = useMemories(query);
  useEffect(() => palette.open(), []);
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={close}
      shortcut={null}
      attributes={{ content: { 'aria-label': t`Find anything` } }}
      scrollable
      maxHeight={460}
    >
      <Spotlight.Search
        placeholder={t`A page, something to do, or what a memory is about`}
        aria-label={t`Find anything`}
        leftSection={<IconSearch size={18} />}
        maxLength={1_000}
      />
      <Spotlight.ActionsList>
        {commands.length > 0 && (
          <Spotlight.ActionsGroup label={t`Pages and actions`}>
            {commands.map(({ id, label, icon, run }) => (
              <Spotlight.Action key={id} leftSection={icon} onClick={run}>
                {label}
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        )}
        {memories.length > 0 && (
          <Spotlight.ActionsGroup label={t`Memories`}>
            {memories.map(({ id, label, icon, run }) => (
              <Spotlight.Action key={id} leftSection={icon} onClick={run}>
                {label}
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        )}
        {commands.length + memories.length === 0 && (
          <Spotlight.Empty>
            <Trans>Nothing like that</Trans>
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function useCommands(pages: readonly PageEntry[]): Command[] {
  const [, go] = useLocation();
  const { agent, session, choose } = useAgent();
  const { setColorScheme } = useMantineColorScheme();
  const icon = (Icon: typeof IconPlus) => <Icon size={18} stroke={1.6} aria-hidden="true" />;
  return [
    ...pages.flatMap(({ path, link }) =>
      link
        ? [
            {
              id: path,
              label: link.label,
              words: link.label,
              icon: icon(link.icon),
              run: () => go(path),
            },
          ]
        : [],
    ),
    ...pages.flatMap(({ commands = [] }) =>
      commands.map(({ label, path }) => ({
        id: path,
        label,
        words: label,
        icon: icon(IconPlus),
        run: () => go(path),
      })),
    ),
    ...session.agents
      .filter(({ id }) => id !== agent.id)
      .map(({ id, display_name: name }) => ({
        id,
        label: (
          <>
            <Trans>
              Switch to <PlainText text={name} />
            </Trans>
          </>
        ),
        words: t`switch to ${name}`,
        icon: icon(IconUserCircle),
        run: () => choose(id),
      })),
    ...SCHEMES.map(({ scheme, name }) => ({
      id: scheme,
      label: t`Appearance: ${name}`,
      words: t`appearance ${name} theme colours`,
      icon: icon(IconMoon),
      run: () => setColorScheme(scheme),
    })),
  ];
}

const SCHEMES = [
  { scheme: 'light', name: t`light` },
  { scheme: 'dark', name: t`dark` },
] as const;

/** The search for all memories like the query, which does not move while they come, and the best of them. */
function useMemories(query: string): Command[] {
  const [, go] = useLocation();
  const { agent } = useAgent();
  const [asked] = useDebouncedValue(query.trim(), PAUSE_MS);
  const found = useQuery({
    queryKey: [agent.id, 'memories', 'palette', asked],
    queryFn: ({ signal }) =>
      callApi(
        'POST /memories/recall',
        { query: asked, limit: MEMORIES, threshold: POSSIBLE },
        { agent: agent.id, signal },
      ),
    enabled: asked.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  if (query.trim().length < 2) return [];
  return [
    {
      id: 'search',
      label: (
        <>
          <Trans>
            Search the memories for “<PlainText text={query.trim()} />”
          </Trans>
        </>
      ),
      words: '',
      icon: <IconSearch size={18} stroke={1.6} aria-hidden="true" />,
      run: () => go(`${PATHS.memories}?query=${encodeURIComponent(query.trim())}`),
    },
    ...(found.data?.results ?? []).map(({ id, type, category, content }) => ({
      id,
      label: (
        <span className={classes.memory}>
          <span className={classes.text}>
            <PlainText text={content.slice(0, TEXT_CHARACTERS)} />
          </span>
          <TypeMark type={type} category={category} />
        </span>
      ),
      words: '',
      icon: <IconBook2 size={18} stroke={1.6} aria-hidden="true" />,
      run: () => go(memoryPath(id)),
    })),
  ];
}

/** Whether every word of a query begins a word of a text. */
function matches(words: string, query: string): boolean {
  const all = words.toLowerCase().split(/[\s:]+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => all.some((word) => word.startsWith(part)));
}
