import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { useDraftForm } from '../api/draft-form.ts';
import { useAction } from '../api/hooks.ts';
import { DraftFields } from '../design/draft-fields.tsx';
import { FormDialog } from '../design/form-dialog.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { spacePath } from '../navigation/paths.ts';

/** Makes a space, which the chosen agent manages, and opens it. */
export function NewSpaceDialog({ close }: { close: () => void }) {
  const { agent } = useAgent();
  const [, go] = useLocation();
  const form = useDraftForm('new space', { initialValues: { name: '' } });
  const make = useAction('POST /spaces', { form, touches: ['spaces', 'audit'], done: t`The space is made.` });
  const submit = form.onSubmit((values) =>
    make.mutate(values, {
      onSuccess: ({ space }) => go(spacePath(space.id)),
    }),
  );
  return (
    <FormDialog opened={true} close={close} title={t`New space`}>
      <DraftFields form={form} submit={submit}>
        <TextInput
          label={t`Name`}
          description={t`Agents read it above what is in the space: the team, the project`}
          maxLength={64}
          required
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Text size="sm" c="dimmed">
          <Trans>
            <PlainText text={agent.display_name} /> is its first member. You let others in on its page.
          </Trans>
        </Text>
        <Button type="submit" loading={make.isPending}>
          <Trans>Make the space</Trans>
        </Button>
      </DraftFields>
    </FormDialog>
  );
}
