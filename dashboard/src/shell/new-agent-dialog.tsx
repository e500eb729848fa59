import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useAgent } from '../api/agent.tsx';
import { useDraftForm } from '../api/draft-form.ts';
import { useAction } from '../api/hooks.ts';
import { SESSION_KEY } from '../api/session.ts';
import { DraftFields } from '../design/draft-fields.tsx';
import { FormDialog } from '../design/form-dialog.tsx';

/** Creates an agent and switches to it. */
export default function NewAgentDialog({ close }: { close: () => void }) {
  return (
    <FormDialog opened={true} close={close} title={t`New agent`}>
      <NewAgentForm done={close} />
    </FormDialog>
  );
}

function NewAgentForm({ done }: { done: () => void }) {
  const { choose } = useAgent();
  const client = useQueryClient();
  const form = useDraftForm('new agent', { initialValues: { display_name: '' } });
  const make = useAction('POST /agents', {
    form,
    touches: [],
    done: t`The agent has a memory of its own now.`,
  });
  const submit = form.onSubmit((values) =>
    make.mutate(values, {
      onSuccess: async ({ agent }) => {
        await client.refetchQueries({ queryKey: SESSION_KEY });
        choose(agent.id);
        done();
      },
    }),
  );
  return (
    <DraftFields form={form} submit={submit}>
      <TextInput
        label={t`Name`}
        description={t`What you call it. Its memory starts empty.`}
        maxLength={100}
        required
        data-autofocus
        {...form.getInputProps('display_name')}
      />
      <Button type="submit" loading={make.isPending}>
        <Trans>Make the agent</Trans>
      </Button>
    </DraftFields>
  );
}
