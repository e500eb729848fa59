import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { filled } from './filled.ts';
import type { Source } from './source.ts';

/** A Git repository over https. */
export function GitForm({ busy, ask }: { busy: boolean; ask: (source: Source) => void }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { url: '', ref: '', path: '' } });
  const submit = form.onSubmit(({ url, ...others }) =>
    ask({ kind: 'git', git: { url: url.trim(), ...filled(others) } }),
  );
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        <TextInput
          label="Repository"
          description="A public address over https"
          placeholder="https://github.com/owner/notes.git"
          type="url"
          required
          key={form.key('url')}
          {...form.getInputProps('url')}
        />
        <Group grow align="flex-start">
          <TextInput
            label="Branch or tag"
            placeholder="the default one"
            key={form.key('ref')}
            {...form.getInputProps('ref')}
          />
          <TextInput
            label="File or folder"
            placeholder="all of it"
            key={form.key('path')}
            {...form.getInputProps('path')}
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
