import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../api/hooks.ts';
import { decisionWords, type GuardianDecision } from './decision-words.ts';
import type { ReviewEntry } from './entry.ts';

/** Offers the two decisions on an entry. Each asks for an optional reason first. */
export function Decide({ entry }: { entry: ReviewEntry }) {
  const [opened, { open, close }] = useDisclosure();
  const [decision, setDecision] = useState<GuardianDecision>('approve');
  const ask = (wanted: GuardianDecision) => {
    setDecision(wanted);
    open();
  };
  return (
    <>
      <Group gap="sm">
        <Button leftSection={<IconCheck size={17} />} onClick={() => ask('approve')}>
          {decisionWords(entry, 'approve').action}
        </Button>
        <Button variant="default" leftSection={<IconX size={17} />} onClick={() => ask('reject')}>
          {decisionWords(entry, 'reject').action}
        </Button>
      </Group>
      <Modal opened={opened} onClose={close} title={decisionWords(entry, decision).title}>
        <DecisionForm key={decision} entry={entry} decision={decision} close={close} />
      </Modal>
    </>
  );
}

interface FormProps {
  readonly entry: ReviewEntry;
  readonly decision: GuardianDecision;
  readonly close: () => void;
}

function DecisionForm({ entry, decision, close }: FormProps) {
  const words = decisionWords(entry, decision);
  const form = useForm({ initialValues: { reason: '' } });
  const decide = useAction(`POST /guardian/{id}/${decision}`, {
    touches: ['guardian', 'overview', 'memories', 'boot', 'stability'],
    done: words.done,
  });
  const submit = form.onSubmit(({ reason }) =>
    decide.mutate(
      { id: entry.id, ...(reason.trim() !== '' && { reason: reason.trim() }) },
      { onSuccess: close },
    ),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{words.effect}</Text>
        <Textarea
          label="Why"
          description="Optional; kept with the decision, and your agent can read it"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={1_000}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Not now
          </Button>
          <Button type="submit" color={decision === 'approve' ? 'iris' : 'red'} loading={decide.isPending}>
            {words.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
