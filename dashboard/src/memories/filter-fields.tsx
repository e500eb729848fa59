import { t } from '@lingui/core/macro';
import { Autocomplete, Select, SimpleGrid, Skeleton, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { formatNumber } from '../design/format.ts';
import { LAST_DAY } from '../design/local-day.ts';
import { PlainText } from '../design/memory-text.tsx';
import { categoryName } from '../design/names.ts';
import { QueryResult } from '../design/query-result.tsx';
import { useSpaces } from '../design/space-name.tsx';
import classes from './memory-filters.module.css';
import { CORE_CATEGORIES, type MemoriesView, OWN, spaceOf, useView, WRITER_OPTIONS } from './use-view.ts';

type Facets = AnswerOf<'GET /memories/facets'>;
type TextFilter = 'tag' | 'name' | 'key' | 'session' | 'metadata' | 'since' | 'until';

const PAUSE_MS = 280;
const SHOWN = 24;

/** The filters beside the type, and what there is to choose from. */
export function FilterFields() {
  const { view } = useView();
  const facets = useAnswer(
    'memories',
    'GET /memories/facets',
    { ...(view.type && { type: view.type }), ...spaceOf(view), limit: 100 },
    { keepPrevious: true, staleTime: 60_000 },
  );
  return (
    <div className={classes.fields}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" verticalSpacing="xs">
        <Field name="tag" label={t`Tag`} choices={facets.data?.tags.map(({ value }) => value)} />
        <SpaceField label={t`Space`} />
        <Field name="session" label={t`Session`} choices={facets.data?.sessions.map(({ value }) => value)} />
        <Field name="metadata" label={t`Metadata`} placeholder="project=orchard" />
        <Field name="since" label={t`From`} type="date" max={LAST_DAY} />
        <Field name="until" label={t`To`} type="date" max={LAST_DAY} />
        <ListFilters names={facets.data?.names.map(({ value }) => value)} />
      </SimpleGrid>
      <QueryResult of={facets} loading={<Skeleton height={56} radius="md" />}>
        {(data) => <FacetChoices facets={data} />}
      </QueryResult>
    </div>
  );
}

/** The category, and the filters that a list takes and a search by meaning does not. */
function ListFilters({ names }: { names: readonly string[] | undefined }) {
  const { view, change } = useView();
  const disabled = view.query !== '';
  const hint = disabled ? { description: t`Not while you search` } : {};
  return (
    <>
      {view.type === 'core' && (
        <Select
          label={t`Category`}
          placeholder={t`Any category`}
          size="xs"
          clearable
          data={CORE_CATEGORIES.map((value) => ({ value, label: categoryName(value) }))}
          value={view.category ?? null}
          onChange={(next) => change({ category: CORE_CATEGORIES.find((one) => one === next) })}
        />
      )}
      <Field name="name" label={t`Person or topic`} choices={names} disabled={disabled} {...hint} />
      <Select
        label={t`Written by`}
        placeholder={t`Anybody`}
        size="xs"
        clearable
        disabled={disabled}
        {...hint}
        data={WRITER_OPTIONS.map(({ value, label }) => ({ value, label }))}
        value={view.source ?? null}
        onChange={(next) => change({ source: WRITER_OPTIONS.find(({ value }) => value === next)?.value })}
      />
      <Select
        label={t`Importance`}
        placeholder={t`Any`}
        size="xs"
        clearable
        disabled={disabled}
        {...hint}
        data={['0.3', '0.5', '0.7', '0.8', '0.9', '1'].map((value) => ({
          value,
          label: t`at least ${value}`,
        }))}
        value={view.importance === '' ? null : view.importance}
        onChange={(next) => change({ importance: next ?? '' })}
      />
      <Field name="key" label={t`Key`} disabled={disabled} {...hint} />
    </>
  );
}

/** Narrows to one space, or to what is in none. It is there once there are spaces. */
export function SpaceField(props: { readonly label?: string; readonly 'aria-label'?: string }) {
  const { view, change } = useView();
  const { data } = useSpaces();
  if (!data || data.spaces.length === 0) return null;
  return (
    <Select
      {...props}
      placeholder={t`Its own and its spaces`}
      size="xs"
      clearable
      data={[
        { value: OWN, label: t`Only its own` },
        ...data.spaces.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={view.space === '' ? null : view.space}
      onChange={(next) => change({ space: next ?? '' })}
    />
  );
}

interface FieldProps {
  readonly name: TextFilter;
  readonly label: string;
  readonly type?: 'date';
  readonly max?: string;
  readonly placeholder?: string;
  readonly description?: string;
  readonly disabled?: boolean;
  readonly choices?: readonly string[] | undefined;
}

/** A filter by a text. It is applied when the human has stopped typing. */
function Field({ name, choices, ...props }: FieldProps) {
  const { view, change } = useView();
  const value = view[name];
  const [text, setText] = useState(value);
  const applied = useRef(value);
  const apply = useDebouncedCallback((next: string) => {
    applied.current = next;
    change(changeOf(name, next), { replace: true });
  }, PAUSE_MS);
  // A link, "Clear" or Back changes the filter from outside. What was typed meanwhile is not taken back.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
  }, [value]);
  const type = (next: string) => {
    setText(next);
    apply(next.trim());
  };
  if (choices)
    return (
      <Autocomplete
        size="xs"
        maxLength={256}
        {...props}
        data={[...new Set(choices)]}
        limit={20}
        value={text}
        onChange={type}
      />
    );
  return (
    <TextInput
      size="xs"
      maxLength={256}
      {...props}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

const changeOf = (name: TextFilter, value: string): Partial<MemoriesView> => ({ [name]: value });

/** Shows the tags and names there are, what most memories have first. A click filters by one. */
function FacetChoices({ facets: { tags, names } }: { facets: Facets }) {
  const { view, change } = useView();
  return (
    <>
      {view.query === '' && (
        <Choices title={t`People and topics`} values={names} choose={(name) => change({ name })} />
      )}
      <Choices title={t`Tags`} values={tags} choose={(tag) => change({ tag })} />
    </>
  );
}

interface ChoicesProps {
  readonly title: string;
  readonly values: Facets['tags'];
  readonly choose: (value: string) => void;
}

function Choices({ title, values, choose }: ChoicesProps) {
  if (values.length === 0) return null;
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {title}
      </Text>
      <ul className={classes.choices}>
        {values.slice(0, SHOWN).map(({ value, memories }) => (
          <li key={value}>
            <UnstyledButton className={classes.choice} onClick={() => choose(value)}>
              <span className={classes.value}>
                <PlainText text={value} />
              </span>
              <span className={classes.count}>{formatNumber(memories)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
