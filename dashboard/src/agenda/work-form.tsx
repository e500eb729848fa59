import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Textarea, TextInput } from '@mantine/core';
import { useDraftForm } from '../api/draft-form.ts';
import { useAction } from '../api/hooks.ts';
import { DraftFields } from '../design/draft-fields.tsx';

/** Adds a work in progress. */
export function WorkForm({ done }: { done: () => void }) {
  const form = useDraftForm('work', { initialValues: { title: '', note: '' } });
  const create = useAction('POST /wip', {
    form,
    touches: ['agenda', 'boot'],
    done: t`It is among what your agent works on.`,
    undo: ({ item }) => ({
      run: (call) => call('DELETE /wip/{id}', { id: item.id }),
      done: t`It is removed again.`,
    }),
  });
  const submit = form.onSubmit(({ title, note }) =>
    create.mutate({ title, ...(note !== '' && { note }) }, { onSuccess: done }),
  );
  return (
    <DraftFields form={form} submit={submit}>
      <TextInput label={t`What`} maxLength={200} required data-autofocus {...form.getInputProps('title')} />
      <Textarea
        label={t`Where it stands`}
        maxLength={2_000}
        autosize
        minRows={2}
        {...form.getInputProps('note')}
      />
      <Button type="submit" loading={create.isPending}>
        <Trans>Add it</Trans>
      </Button>
    </DraftFields>
  );
}
