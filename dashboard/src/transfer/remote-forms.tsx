import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { mayHoldSecret, useDraftForm } from '../api/draft-form.ts';
import { DraftFields } from '../design/draft-fields.tsx';
import { SecretInput } from '../design/secret-input.tsx';
import type { SourceFormProps } from './source.ts';

/** What is kept of the form for a repository. It is forgotten once an import has begun. */
export const GIT_DRAFT = 'git';

/** Asks for a Git repository over https. */
export function GitForm({ busy, ask }: SourceFormProps) {
  const form = useDraftForm(GIT_DRAFT, {
    initialValues: { url: '', ref: '', path: '' },
    isSecret: (name, value) => name === 'url' && mayHoldSecret(value),
  });
  const submit = form.onSubmit(({ url, ...others }) =>
    ask({ kind: 'git', git: { url: url.trim(), ...filled(others) } }),
  );
  return (
    <DraftFields form={form} submit={submit} maw={560}>
      <TextInput
        label={t`Repository`}
        description={t`A public address over https`}
        placeholder="https://github.com/owner/notes.git"
        type="url"
        required
        {...form.getInputProps('url')}
      />
      <Group grow align="flex-start">
        <TextInput label={t`Branch or tag`} placeholder={t`the default one`} {...form.getInputProps('ref')} />
        <TextInput label={t`File or folder`} placeholder={t`all of it`} {...form.getInputProps('path')} />
      </Group>
      <Group>
        <Button type="submit" loading={busy}>
          <Trans>Look at it</Trans>
        </Button>
      </Group>
    </DraftFields>
  );
}

const EMPTY = { bucket: '', prefix: '', region: '', endpoint: '', access_key_id: '', secret_access_key: '' };

/** Asks for a bucket of S3 or of a service with the same API. */
export function S3Form({ busy, ask }: SourceFormProps) {
  const form = useForm({ initialValues: EMPTY });
  const submit = form.onSubmit(({ bucket, ...others }) =>
    ask({ kind: 's3', s3: { bucket: bucket.trim(), ...filled(others) } }),
  );
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack maw={560}>
        <Group grow align="flex-start">
          <TextInput label={t`Bucket`} required {...form.getInputProps('bucket')} />
          <TextInput
            label={t`Only names that begin with`}
            placeholder="notes/"
            {...form.getInputProps('prefix')}
          />
        </Group>
        <Group grow align="flex-start">
          <TextInput label={t`Region`} placeholder="us-east-1" {...form.getInputProps('region')} />
          <TextInput label={t`Endpoint`} placeholder={t`Amazon’s`} {...form.getInputProps('endpoint')} />
        </Group>
        <Group grow align="flex-start">
          <TextInput
            label={t`Access key id`}
            placeholder={t`none: a public bucket`}
            {...form.getInputProps('access_key_id')}
          />
          <SecretInput
            label={t`Secret access key`}
            description={t`Used once, not kept`}
            inputWrapperOrder={['label', 'input', 'description']}
            {...form.getInputProps('secret_access_key')}
          />
        </Group>
        <Group>
          <Button type="submit" loading={busy}>
            <Trans>Look at it</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Returns the fields that the human filled in, trimmed. */
function filled<Names extends string>(fields: Record<Names, string>): Partial<Record<Names, string>> {
  const entries = Object.entries<string>(fields)
    .map(([name, value]) => [name, value.trim()])
    .filter(([, value]) => value !== '');
  return Object.fromEntries(entries);
}
