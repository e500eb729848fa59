import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Radio, Select, Stack, TextInput } from '@mantine/core';
import { serviceNow } from '../api/clock.ts';
import { useDraftForm } from '../api/draft-form.ts';
import { useAction } from '../api/hooks.ts';
import { DraftFields } from '../design/draft-fields.tsx';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '0', label: t`Never` },
  { value: '1', label: t`In a day` },
  { value: '7', label: t`In a week` },
  { value: '30', label: t`In 30 days` },
  { value: '90', label: t`In 90 days` },
  { value: '365', label: t`In a year` },
];

type Values = { name: string; scope: 'full' | 'read'; days: string };

/** Creates an API key with a name, a scope and an end. */
export function KeyForm({ made }: { made: (secret: string) => void }) {
  const form = useDraftForm('new key', {
    initialValues: { name: '', scope: 'full', days: '0' } as Values,
  });
  const create = useAction('POST /api-keys', {
    form,
    touches: ['keys'],
    // Also where the human has closed the form meanwhile: the secret is shown this once.
    succeeded: ({ secret }) => made(secret),
  });
  const submit = form.onSubmit(({ name, scope, days }) => {
    const expires = new Date(serviceNow() + Number(days) * DAY_MS).toISOString();
    create.mutate({ name, scope, ...(days !== '0' && { expires_at: expires }) });
  });
  return (
    <DraftFields form={form} submit={submit}>
      <TextInput
        label={t`Name`}
        description={t`Where it is used, such as the machine`}
        maxLength={256}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Radio.Group label={t`It may`} {...form.getInputProps('scope')}>
        <Stack gap="xs" mt="xs">
          <Radio value="full" label={t`Read and write: for the agent itself`} />
          <Radio value="read" label={t`Only read: for what looks on`} />
        </Stack>
      </Radio.Group>
      <Select label={t`It ends`} data={LIFETIMES} allowDeselect={false} {...form.getInputProps('days')} />
      <Button type="submit" loading={create.isPending}>
        <Trans>Make the key</Trans>
      </Button>
    </DraftFields>
  );
}
