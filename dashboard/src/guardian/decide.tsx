import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useAgent } from '../api/agent.tsx';
import { useDraftForm } from '../api/draft-form.ts';
import { FormDialog } from '../design/form-dialog.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Restored } from '../design/restored.tsx';
import { decisionWords, type GuardianDecision } from './decision-words.ts';
import type { Danger, GuardedSpace, ReviewEntry } from './entry.ts';
import { undoOf } from './undo-decision.ts';
import { useDecision } from './use-entries.ts';

interface Props {
  readonly entry: ReviewEntry;
  readonly danger: Danger;
  readonly space?: GuardedSpace | undefined;
}

/** Offers the two decisions on an entry, the safe one loud. Each asks for an optional reason first. */
export function Decide({ entry, danger, space }: Props) {
  const [opened, { open, close }] = useDisclosure();
  const [decision, setDecision] = useState<GuardianDecision>('approve');
  const words = (wanted: GuardianDecision) => decisionWords(entry, wanted, space !== undefined);
  const ask = (wanted: GuardianDecision) => {
    setDecision(wanted);
    open();
  };
  const approve = (
    <Button
      key="approve"
      variant={danger === 'large' ? 'default' : 'filled'}
      leftSection={<IconCheck size={17} />}
      onClick={() => ask('approve')}
    >
      {words('approve').action}
    </Button>
  );
  const reject = (
    <Button
      key="reject"
      variant={danger === 'large' ? 'filled' : 'default'}
      leftSection={<IconX size={17} />}
      onClick={() => ask('reject')}
    >
      {words('reject').action}
    </Button>
  );
  return (
    <>
      <Group gap="sm">{danger === 'large' ? [reject, approve] : [approve, reject]}</Group>
      <FormDialog opened={opened} close={close} title={words(decision).title}>
        <DecisionForm {...{ entry, danger, space, decision, close }} key={decision} />
      </FormDialog>
    </>
  );
}

interface FormProps extends Props {
  readonly decision: GuardianDecision;
  readonly close: () => void;
}

function DecisionForm({ entry, danger, space, decision, close }: FormProps) {
  const { agent } = useAgent();
  const words = decisionWords(entry, decision, space !== undefined);
  const owner = space?.name ?? agent.display_name;
  const asksName = decision === 'approve' && danger === 'large';
  const form = useDraftForm(`${decision} ${entry.id}`, {
    initialValues: { reason: '', name: '' },
    // Typed again each time: it is to show that the human means it.
    isSecret: (name) => name === 'name',
    validate: {
      name: (value) => (asksName && !isSameName(value, owner) ? t`That is not its name` : null),
    },
  });
  const decide = useDecision(decision, space, {
    form,
    done: words.done,
    undo: ({ entry: { decided_at } }) => undoOf(entry, decision, { space: space?.id, decidedAt: decided_at }),
  });
  const submit = form.onSubmit(({ reason }) =>
    decide.mutate(
      {
        id: entry.id,
        ...(space && { space_id: space.id }),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      },
      { onSuccess: close },
    ),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        {form.isRestored && <Restored discard={form.discard} />}
        <Text size="sm">{words.effect}</Text>
        {asksName && (
          <NameField owner={owner} isSpace={space !== undefined} {...form.getInputProps('name')} />
        )}
        <Textarea
          label={t`Why`}
          description={t`Optional; kept with the decision, and your agent can read it`}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={1_000}
          data-autofocus={asksName ? undefined : true}
          {...form.getInputProps('reason')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            <Trans>Not now</Trans>
          </Button>
          <Button type="submit" color={isSafe(decision, danger) ? 'iris' : 'red'} loading={decide.isPending}>
            {words.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Asks for the name of what a dangerous change is of, so that nobody approves it in passing. */
function NameField({ owner, isSpace, ...input }: { owner: string; isSpace: boolean } & TextInputProps) {
  return (
    <TextInput
      label={
        <Trans>
          To approve this, type the name <PlainText text={owner} />
        </Trans>
      }
      description={
        isSpace
          ? t`It would change what every agent of the space goes by`
          : t`It would change who your agent is more than anything else could`
      }
      autoComplete="off"
      required
      data-autofocus
      {...input}
    />
  );
}

function isSafe(decision: GuardianDecision, danger: Danger): boolean {
  return (decision === 'reject') === (danger === 'large');
}

/** Compares names as they are read: nobody can type the spaces around one, or a character that cannot be seen. */
function isSameName(one: string, other: string): boolean {
  const read = (name: string) =>
    name
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}\p{P}\p{S}]+/gu, '')
      .toLowerCase();
  return read(one) === read(other);
}
