import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Alert,
  Button,
  Group,
  Modal,
  Select,
  Slider,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { splitUnseen } from '@svc-memory/core/text';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useDraft } from '../api/draft.ts';
import { LAST_TIME } from '../design/field-time.ts';
import { formatNumber } from '../design/format.ts';
import { hasLongWord, PlainText } from '../design/memory-text.tsx';
import { categoryName, TYPE_MEANS, TYPE_NAMES } from '../design/names.ts';
import { Restored } from '../design/restored.tsx';
import { TextDiff } from '../design/text-diff.tsx';
import { TYPES } from '../design/type-mark.tsx';
import { CORE_CATEGORIES } from '../memories/use-view.ts';
import classes from './edit-form.module.css';
import { type EditValues, editsOf, rebased, TIMES, type Typed, typedIn, valuesOf } from './edit-values.ts';
import { useCorrect } from './use-correct.ts';
import { type Editable, factsChanged, isReadable, type Memory, placeOf, type Version } from './version.ts';

/** The service's limits. */
const MOST = { content: 32_768, tags: 32, key: 256 } as const;
const TYPE_CHOICES = TYPES.map((type) => ({
  value: type,
  label: `${TYPE_NAMES[type]}: ${TYPE_MEANS[type]}`,
}));
const CATEGORY_CHOICES = CORE_CATEGORIES.map((value) => ({ value, label: categoryName(value) }));
const MOST_CODES = 8;
const PERCENTS = [0, 25, 50, 75, 100].map((value) => ({ value }));

/** From which share of the longest text on its length is told. */
const NEARLY = 0.9;

interface Props {
  readonly memory: Memory;
  readonly versions: readonly Version[];
  readonly close: () => void;
}

/** Edits what a memory says, how it is filed, and when it holds. What is typed stays however the human leaves the page. */
export function EditForm({ memory, versions, close }: Props) {
  const text = useRef<HTMLTextAreaElement>(null);
  const { base, form, typed, isRestored, goOn, forget } = useEdits(memory, versions);
  const [asking, { open: ask, close: stay }] = useDisclosure();
  // A page that opens by itself with what was typed does not take the focus.
  useEffect(() => {
    if (!isRestored) text.current?.focus();
  }, [isRestored]);
  const done = t`Corrected. Your agent knows it so from now on.`;
  const correct = useCorrect(base, done, { succeeded: forget, form });
  const isDirty = Object.keys(typed).length > 0;
  const leave = () => {
    forget();
    close();
  };
  const submit = form.onSubmit((values) => {
    const changes = editsOf(values, base);
    if (Object.keys(changes).length === 0) return leave();
    correct.mutate({ id: memory.id, ...placeOf(memory), ...changes }, { onSuccess: close });
  });
  const { content, type } = form.getValues();
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && !isDirty && leave()}
      aria-label={t`Edit the memory`}
    >
      <Stack gap="md">
        {isRestored && <Restored discard={isDirty ? ask : leave} />}
        {/* While it saves, the newer version may be the one it has just made. */}
        {memory.version !== base.version && !correct.isPending && (
          <Changed
            before={base}
            now={memory}
            goOn={() => {
              goOn();
              text.current?.focus();
            }}
          />
        )}
        <Content ref={text} {...form.getInputProps('content')} />
        <Unseen text={content} remove={(seen) => form.setFieldValue('content', seen)} />
        <Filing field={form.getInputProps} isCore={type === 'core'} />
        <Times field={form.getInputProps} />
        <Actions
          isSaving={correct.isPending}
          isCore={memory.type === 'core'}
          cancel={isDirty ? ask : leave}
        />
      </Stack>
      <AskToDiscard opened={asking} stay={stay} discard={leave} />
    </form>
  );
}

/** What the human has changed, and of which version. */
interface Edits {
  readonly version: number;
  readonly typed: Typed;
}

/** The values of the form. They begin with what the human had typed before, and are kept as they change. */
function useEdits(memory: Memory, versions: readonly Version[]) {
  const draft = useDraft<Edits>(memory.id);
  const [kept] = useState(draft.read);
  // The page shows what others change meanwhile; the human corrects what they saw.
  const [base, setBase] = useState(() => seenBy(kept, memory, versions));
  const [isKept, setIsKept] = useState(true);
  const keep = (values: EditValues, before: Editable) => {
    const typed = typedIn(values, before);
    if (Object.keys(typed).length > 0) setIsKept(draft.keep({ version: before.version, typed }));
    else draft.forget();
  };
  const form = useForm<EditValues>({
    initialValues: { ...valuesOf(base), ...kept?.typed },
    onValuesChange: (values) => keep(values, base),
  });
  const typed = typedIn(form.getValues(), base);
  useAskBeforeUnload(!isKept && Object.keys(typed).length > 0);
  return {
    base,
    form,
    typed,
    isRestored: kept !== undefined,
    forget: draft.forget,
    goOn: () => {
      const values = rebased(form.getValues(), base, memory);
      form.setValues(values);
      keep(values, memory);
      setBase(memory);
    },
  };
}

/** Returns the version that the human saw when they typed: where it is unknown or hidden now, the present one. */
function seenBy(kept: Edits | undefined, memory: Memory, versions: readonly Version[]): Editable {
  if (kept === undefined || kept.version === memory.version) return memory;
  const seen = versions.find(({ version }) => version === kept.version);
  return seen && isReadable(seen) ? { ...seen, id: memory.id, ...placeOf(memory) } : memory;
}

/** Has the browser ask before it closes or loads the page anew. */
function useAskBeforeUnload(asks: boolean): void {
  useEffect(() => {
    if (!asks) return;
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [asks]);
}

interface AskProps {
  readonly opened: boolean;
  readonly stay: () => void;
  readonly discard: () => void;
}

function AskToDiscard({ opened, stay, discard }: AskProps) {
  return (
    <Modal opened={opened} onClose={stay} title={t`Discard what you have typed?`}>
      <Stack>
        <Text size="sm">
          <Trans>The memory stays as it is. What you have typed cannot be brought back.</Trans>
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={stay} data-autofocus>
            <Trans>Go on writing</Trans>
          </Button>
          <Button color="red" onClick={discard}>
            <Trans>Discard it</Trans>
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ContentProps {
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  readonly value?: string;
}

/**
 * The text. What is too long is not cut, as a part of what is pasted would be lost: the service refuses it, and the field tells how
 * long it is.
 */
function Content({ ref, value = '', ...field }: ContentProps) {
  const [length, most] = [formatNumber(value.length), formatNumber(MOST.content)];
  return (
    <Textarea
      label={t`What it says`}
      description={value.length > NEARLY * MOST.content && t`${length} of ${most} characters`}
      autosize
      minRows={3}
      maxRows={24}
      required
      ref={ref}
      dir="auto"
      classNames={{ input: classes.content ?? '' }}
      data-unbroken={hasLongWord(value)}
      value={value}
      {...field}
    />
  );
}

/** Says that the memory has changed since the human began, and what it says now. */
function Changed({ before, now, goOn }: { before: Editable; now: Memory; goOn: () => void }) {
  return (
    <Alert color="yellow" variant="light" role="alert" title={t`Somebody has changed it since you began`}>
      <Stack gap="sm" align="flex-start">
        {now.content !== before.content && <TextDiff before={before.content} after={now.content} />}
        {factsChanged(now, before).map((fact) => (
          <Text key={fact} size="sm">
            <PlainText text={fact} />
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

type FieldOf = (name: keyof EditValues) => object;

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

function Times({ field }: { field: FieldOf }) {
  return (
    <div className={classes.fields}>
      {TIMES.map(({ name, label, required }) => (
        <TextInput
          key={name}
          type="datetime-local"
          step={1}
          max={LAST_TIME}
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
