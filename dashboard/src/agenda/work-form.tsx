import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../api/hooks.ts';

/** Adds a work in progress. */
export function WorkForm({ done }: { done: () => void }) {
  const form = useForm({ initialValues: { title: '', note: '' } });
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
    <form onSubmit={submit}>
      <Stack>
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
      </Stack>
    </form>
  );
}
