import { Button, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrors } from '../api/error.ts';
import { useAction } from '../api/hooks.ts';

const EVENTS = [
  { value: '*', label: 'Everything' },
  { value: 'guardian.*', label: 'Guardian: everything' },
  { value: 'guardian.queued', label: 'Guardian: a change was asked for' },
  { value: 'guardian.waiting', label: 'Guardian: a change waits for you' },
  { value: 'distress.*', label: 'Distress: everything' },
  { value: 'distress.raised', label: 'Distress: your agent calls for help' },
  { value: 'memory.*', label: 'Memory: everything' },
  { value: 'memory.stored', label: 'Memory: stored' },
  { value: 'memory.recalled', label: 'Memory: recalled' },
  { value: 'memory.compacted', label: 'Memory: episodes were summarised' },
  { value: 'memory.exported', label: 'Memory: exported' },
  { value: 'visibility.changed', label: 'Visibility: changed' },
  { value: 'billing.threshold', label: 'Plan: most of it is used' },
  { value: 'job.progress', label: 'Jobs: how far one is' },
  { value: 'job.finished', label: 'Jobs: an import or other job is done' },
];

/** Adds an event endpoint: an address, and the events that it receives. */
export function EndpointForm({ made }: { made: (secret: string) => void }) {
  const form = useForm({ initialValues: { url: '', events: ['*'] } });
  const create = useAction('POST /event-endpoints', { touches: ['endpoints'] });
  const submit = form.onSubmit((values) =>
    create.mutate(values, {
      onSuccess: ({ secret }) => made(secret),
      onError: (error) => form.setErrors(fieldErrors(error)),
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Address"
          description="Public, over https; it gets a POST"
          placeholder="https://example.com/hooks/memory"
          type="url"
          required
          data-autofocus
          {...form.getInputProps('url')}
        />
        <MultiSelect
          label="When"
          data={EVENTS}
          required
          hidePickedOptions
          {...form.getInputProps('events')}
        />
        <Button type="submit" loading={create.isPending}>
          Add the endpoint
        </Button>
      </Stack>
    </form>
  );
}
