import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, MultiSelect, TextInput } from '@mantine/core';
import { mayHoldSecret, useDraftForm } from '../api/draft-form.ts';
import { useAction } from '../api/hooks.ts';
import { DraftFields } from '../design/draft-fields.tsx';

const EVENTS = [
  { value: '*', label: t`Everything` },
  { value: 'guardian.*', label: t`Guardian: everything` },
  { value: 'guardian.queued', label: t`Guardian: a change was asked for` },
  { value: 'guardian.waiting', label: t`Guardian: a change waits for you` },
  { value: 'distress.*', label: t`Distress: everything` },
  { value: 'distress.raised', label: t`Distress: your agent calls for help` },
  { value: 'memory.*', label: t`Memory: everything` },
  { value: 'memory.stored', label: t`Memory: stored` },
  { value: 'memory.archived', label: t`Memory: went into the archive` },
  { value: 'memory.restored', label: t`Memory: came back from the archive` },
  { value: 'memory.recalled', label: t`Memory: recalled` },
  { value: 'memory.compacted', label: t`Memory: episodes were summarised` },
  { value: 'memory.exported', label: t`Memory: exported` },
  { value: 'visibility.changed', label: t`Visibility: changed` },
  { value: 'billing.threshold', label: t`Plan: most of it is used` },
  { value: 'job.progress', label: t`Jobs: how far one is` },
  { value: 'job.finished', label: t`Jobs: an import or other job is done` },
];

/** Adds an event endpoint: an address, and the events that it receives. */
export function EndpointForm({ made }: { made: (secret: string) => void }) {
  const form = useDraftForm('webhook', {
    initialValues: { url: '', events: ['*'] },
    isSecret: (name, value) => name === 'url' && mayHoldSecret(value),
  });
  const create = useAction('POST /event-endpoints', {
    form,
    touches: ['endpoints'],
    // Also where the human has closed the form meanwhile: the secret is shown this once.
    succeeded: ({ secret }) => made(secret),
  });
  const submit = form.onSubmit((values) => create.mutate(values));
  return (
    <DraftFields form={form} submit={submit}>
      <TextInput
        label={t`Address`}
        description={t`Public, over https; it gets a POST`}
        placeholder="https://example.com/hooks/memory"
        type="url"
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <MultiSelect
        label={t`When`}
        data={EVENTS}
        required
        hidePickedOptions
        {...form.getInputProps('events')}
      />
      <Button type="submit" loading={create.isPending}>
        <Trans>Add the webhook</Trans>
      </Button>
    </DraftFields>
  );
}
