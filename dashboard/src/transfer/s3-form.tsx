import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { filled } from './filled.ts';
import type { Source } from './source.ts';

const EMPTY = { bucket: '', prefix: '', region: '', endpoint: '', access_key_id: '', secret_access_key: '' };

/** A bucket of S3, or of what speaks like it. */
export function S3Form({ busy, ask }: { busy: boolean; ask: (source: Source) => void }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: EMPTY });
  const submit = form.onSubmit(({ bucket, ...others }) =>
    ask({ kind: 's3', s3: { bucket: bucket.trim(), ...filled(others) } }),
  );
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack maw={560}>
        <Group grow align="flex-start">
          <TextInput label="Bucket" required key={form.key('bucket')} {...form.getInputProps('bucket')} />
          <TextInput
            label="Only names that begin with"
            placeholder="notes/"
            key={form.key('prefix')}
            {...form.getInputProps('prefix')}
          />
        </Group>
        <Group grow align="flex-start">
          <TextInput
            label="Region"
            placeholder="us-east-1"
            key={form.key('region')}
            {...form.getInputProps('region')}
          />
          <TextInput
            label="Endpoint"
            placeholder="Amazon’s"
            key={form.key('endpoint')}
            {...form.getInputProps('endpoint')}
          />
        </Group>
        <Group grow align="flex-start">
          <TextInput
            label="Access key id"
            placeholder="none: a public bucket"
            key={form.key('access_key_id')}
            {...form.getInputProps('access_key_id')}
          />
          <PasswordInput
            label="Secret access key"
            description="Used once, not kept"
            inputWrapperOrder={['label', 'input', 'description']}
            key={form.key('secret_access_key')}
            {...form.getInputProps('secret_access_key')}
          />
        </Group>
        <Group>
          <Button type="submit" loading={busy}>
            Look at it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
