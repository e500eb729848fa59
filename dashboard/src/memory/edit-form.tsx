import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Alert,
  Button,
  Group,
  Select,
  Slider,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import type { fields } from '@svc-memory/core/contract';
import { splitUnseen } from '@svc-memory/core/text';
import { useEffect, useId, useRef, useState } from 'react';
import { fieldErrors } from '../api/error.ts';
import { toFieldTime, toInstant } from '../design/field-time.ts';
import { categoryName, TYPE_MEANS, TYPE_NAMES } from '../design/names.ts';
import { TextDiff } from '../design/text-diff.tsx';
import { TYPES } from '../design/type-mark.tsx';
import { CORE_CATEGORIES } from '../memories/use-view.ts';
import classes from './edit-form.module.css';
import { useCorrect } from './use-correct.ts';
import { type Changes, changed, factsChanged, type Memory, placeOf } from './version.ts';

interface Values {
  content: string;
  type: fields.MemoryType;
  category: fields.Category | null;
  key: string;
  tags: string[];
  importance: number;
  occurred_at: string;
  valid_from: string;
  valid_to: string;
  expires_at: string;
}

/** The service's limits. */
const MOST = { content: 32_768, tags: 32, key: 256 } as const;
const TYPE_CHOICES = TYPES.map((type) => ({
  value: type,
  label: `${TYPE_NAMES[type]}: ${TYPE_MEANS[type]}`,
}));
const CATEGORY_CHOICES = CORE_CATEGORIES.map((value) => ({ value, label: categoryName(value) }));
const MOST_CODES = 8;
const PERCENTS = [0, 25, 50, 75, 100].map((value) => ({ value }));

/** Edits what a memory says, how it is filed, and when it holds. */
export function EditForm({ memory, close }: { memory: Memory; close: () => void }) {
  const text = useRef<HTMLTextAreaElement>(null);
  useEffect(() => text.current?.focus(), []);
  // The page shows what others change meanwhile; the human corrects what they saw.
  const [base, setBase] = useState(memory);
  const form = useForm<Values>({ initialValues: valuesOf(base) });
  const correct = useCorrect(base, t`Corrected. Your agent knows it so from now on.`);
  const goOn = () => {
    form.setValues(rebased(form.getValues(), base, memory));
    setBase(memory);
    text.current?.focus();
  };
  const submit = form.onSubmit((values) => {
    const changes = changesOf(values, base);
    if (Object.keys(changes).length === 0) return close();
    correct.mutate(
      { id: memory.id, ...placeOf(memory), ...changes },
      { onSuccess: close, onError: (error) => form.setErrors(fieldErrors(error)) },
    );
  });
  const { content, type } = form.getValues();
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && !form.isDirty() && close()}
      aria-label={t`Edit the memory`}
    >
      <Stack gap="md">
        {/* While it saves, the newer version may be the one it has just made. */}
        {memory.version !== base.version && !correct.isPending && (
          <Changed before={base} now={memory} goOn={goOn} />
        )}
        <Textarea
          label={t`What it says`}
          autosize
          minRows={3}
          maxRows={24}
          maxLength={MOST.content}
          required
          ref={text}
          dir="auto"
          classNames={{ input: classes.content ?? '' }}
          {...form.getInputProps('content')}
        />
        <Unseen text={content} remove={(seen) => form.setFieldValue('content', seen)} />
        <Filing field={form.getInputProps} isCore={type === 'core'} />
        <Times field={form.getInputProps} />
        <Actions isSaving={correct.isPending} isCore={memory.type === 'core'} cancel={close} />
      </Stack>
    </form>
  );
}

/** Says that the memory has changed since the human began, and what it says now. */
function Changed({ before, now, goOn }: { before: Memory; now: Memory; goOn: () => void }) {
  return (
    <Alert color="yellow" variant="light" role="alert" title={t`Somebody has changed it since you began`}>
      <Stack gap="sm" align="flex-start">
        {now.content !== before.content && <TextDiff before={before.content} after={now.content} />}
        {factsChanged(now, before).map((fact) => (
          <Text key={fact} size="sm">
            {fact}
          </Text>
        ))}
        <Text size="sm">
          <Trans>
            What you have changed here stays as you wrote it. Go on, and everything else becomes as it is now.
          </Trans>
        </Text>
        <Button size="xs" variant="default" onClick={goOn}>
          <Trans>Go on from there</Trans>
        </Button>
      </Stack>
    </Alert>
  );
}

/** Names the characters that the field above cannot show. */
function Unseen({ text, remove }: { text: string; remove: (seen: string) => void }) {
  const parts = splitUnseen(text);
  const codes = new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.code])));
  if (codes.size === 0) return null;
  const shown = [...codes].slice(0, MOST_CODES).join(', ');
  return (
    <Alert color="yellow" variant="light" title={t`It holds characters that cannot be seen`}>
      <Group justify="space-between">
        <Text size="sm">{codes.size > MOST_CODES ? t`${shown} and others` : shown}</Text>
        <Button
          size="xs"
          variant="default"
          onClick={() => remove(parts.filter((part) => typeof part === 'string').join(''))}
        >
          <Trans>Remove them</Trans>
        </Button>
      </Group>
    </Alert>
  );
}

function Importance({ value, onChange }: { value?: number; onChange?: (value: number) => void }) {
  const id = useId();
  return (
    <div>
      <Text id={id} size="sm" fw={500}>
        <Trans>Importance</Trans>
      </Text>
      <Slider
        mt="xs"
        min={0}
        max={100}
        step={5}
        marks={PERCENTS}
        label={(percent) => `${percent} %`}
        thumbProps={{ 'aria-labelledby': id }}
        value={Math.round((value ?? 0) * 100)}
        onChange={(percent) => onChange?.(percent / 100)}
      />
    </div>
  );
}

type FieldOf = (name: keyof Values) => object;

/** How it is filed. */
function Filing({ field, isCore }: { field: FieldOf; isCore: boolean }) {
  return (
    <div className={classes.fields}>
      <Select label={t`Type`} data={TYPE_CHOICES} allowDeselect={false} {...field('type')} />
      {isCore && <Select label={t`Category`} data={CATEGORY_CHOICES} required {...field('category')} />}
      <TagsInput label={t`Tags`} maxTags={MOST.tags} {...field('tags')} />
      <Importance {...field('importance')} />
      <TextInput
        label={t`Key`}
        description={t`A name by which your agent updates it`}
        maxLength={MOST.key}
        {...field('key')}
      />
    </div>
  );
}

const TIMES = [
  { name: 'occurred_at', label: t`Happened`, required: true },
  { name: 'valid_from', label: t`Holds from`, required: false },
  { name: 'valid_to', label: t`Holds until`, required: false },
  { name: 'expires_at', label: t`Forgotten by itself`, required: false },
] as const;

function Times({ field }: { field: FieldOf }) {
  return (
    <div className={classes.fields}>
      {TIMES.map(({ name, label, required }) => (
        <TextInput
          key={name}
          type="datetime-local"
          step={1}
          label={label}
          required={required}
          {...field(name)}
        />
      ))}
    </div>
  );
}

function Actions({ isSaving, isCore, cancel }: { isSaving: boolean; isCore: boolean; cancel: () => void }) {
  return (
    <Group gap="sm">
      <Button type="submit" loading={isSaving}>
        <Trans>Save</Trans>
      </Button>
      <Button variant="default" onClick={cancel}>
        <Trans>Cancel</Trans>
      </Button>
      {isCore && (
        <Text size="sm" c="dimmed">
          <Trans>
            You decide who your agent is: your change holds at once, and is kept in the Guardian’s record.
          </Trans>
        </Text>
      )}
    </Group>
  );
}

function valuesOf(memory: Memory): Values {
  return {
    content: memory.content,
    type: memory.type,
    category: memory.category,
    key: memory.key ?? '',
    tags: memory.tags,
    importance: memory.importance,
    occurred_at: toFieldTime(memory.occurred_at),
    valid_from: toFieldTime(memory.valid_from),
    valid_to: toFieldTime(memory.valid_to),
    expires_at: toFieldTime(memory.expires_at),
  };
}

/** Returns what the human has changed of `before`, and everything else as it is `now`. */
function rebased(values: Values, before: Memory, now: Memory): Values {
  const [shown, next] = [valuesOf(before), valuesOf(now)];
  const mine = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(shown[name as keyof Values]),
  );
  return { ...next, ...Object.fromEntries(mine) };
}

/** Returns the fields that the human has changed. A time that looks as before is left as exact as it was. */
function changesOf(values: Values, memory: Memory): Changes {
  const before = valuesOf(memory);
  const moved = TIMES.filter(({ name }) => values[name] !== before[name]);
  const { content, type, tags, importance, key } = values;
  return changed(
    {
      ...{ content, type, tags, importance },
      category: type === 'core' ? values.category : null,
      key: key.trim() === '' ? null : key,
      ...Object.fromEntries(moved.map(({ name }) => [name, toInstant(values[name])])),
    },
    memory,
  );
}
