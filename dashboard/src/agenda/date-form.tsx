import { t } from '@lingui/core/macro';
import { Button, Textarea, TextInput } from '@mantine/core';
import { serviceNow } from '../api/clock.ts';
import { useDraftForm } from '../api/draft-form.ts';
import { useAction } from '../api/hooks.ts';
import { DraftFields } from '../design/draft-fields.tsx';
import { LAST_TIME, toFieldTime } from '../design/field-time.ts';
import { LAST_DAY } from '../design/local-day.ts';
import { type DueItem, dueDayOf, dueText } from './agenda-data.ts';

const TOUCHES = ['agenda', 'boot'] as const;

/** Schedules something, or changes what is scheduled. Times are those of the browser; a whole day stays one. */
export function DateForm({ item, done }: { item: DueItem | undefined; done: () => void }) {
  const form = useDraftForm(`date ${item?.id ?? ''}`, { initialValues: valuesOf(item) });
  const create = useAction('POST /schedule', {
    form,
    touches: TOUCHES,
    done: t`It is scheduled.`,
    undo: (answer) => ({
      run: (call) => call('DELETE /schedule/{id}', { id: answer.item.id }),
      done: t`It is not scheduled any more.`,
    }),
  });
  const update = useAction('PATCH /schedule/{id}', {
    form,
    touches: TOUCHES,
    done: t`It is changed.`,
    undo: (_answer, { id, ...changes }) =>
      item && {
        run: (call) => call('PATCH /schedule/{id}', { id, ...pick(item, Object.keys(changes)) }),
        done: t`It is as it was.`,
      },
  });
  const submit = form.onSubmit(({ title, due_at, note }) => {
    const due = new Date(due_at);
    if (Number.isNaN(due.getTime())) return form.setErrors({ due_at: t`Choose a day and a time` });
    const values = { title, due_at: item?.whole_day ? due_at : due.toISOString() };
    const callbacks = { onSuccess: done };
    if (!item) return create.mutate({ ...values, ...(note !== '' && { note }) }, callbacks);
    const changes = changesOf(item, { title, due_at, note }, values.due_at);
    if (Object.keys(changes).length === 0) {
      form.forget();
      return done();
    }
    update.mutate({ id: item.id, ...changes }, callbacks);
  });
  return (
    <DraftFields form={form} submit={submit}>
      <TextInput label={t`What`} maxLength={200} required data-autofocus {...form.getInputProps('title')} />
      <TextInput
        label={t`When`}
        {...(item?.whole_day ? { type: 'date', max: LAST_DAY } : { type: 'datetime-local', max: LAST_TIME })}
        required
        {...form.getInputProps('due_at')}
      />
      <Textarea label={t`Note`} maxLength={2_000} autosize minRows={2} {...form.getInputProps('note')} />
      <Button type="submit" loading={create.isPending || update.isPending}>
        {item ? t`Change it` : t`Schedule it`}
      </Button>
    </DraftFields>
  );
}

/** Only what the human has changed: the agent or another window may have changed the rest meanwhile. */
function changesOf(item: DueItem, { title, due_at, note }: ReturnType<typeof valuesOf>, dueAt: string) {
  const shown = valuesOf(item);
  return {
    ...(title !== shown.title && { title }),
    ...(due_at !== shown.due_at && { due_at: dueAt }),
    ...(note !== shown.note && { note: note === '' ? null : note }),
  };
}

function valuesOf(item: DueItem | undefined) {
  const due_at = item?.whole_day
    ? dueDayOf(item)
    : toFieldTime(item?.due_at ?? tomorrow()).slice(0, 'YYYY-MM-DDTHH:MM'.length);
  return { title: item?.title ?? '', due_at, note: item?.note ?? '' };
}

/** Returns what an item says in the fields of these names, as requests give it. */
function pick(item: DueItem, names: readonly string[]) {
  const given = { ...item, due_at: dueText(item) };
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}

function tomorrow(): string {
  const at = new Date(serviceNow());
  at.setDate(at.getDate() + 1);
  at.setHours(9, 0, 0, 0);
  return at.toISOString();
}
