import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../api/hooks.ts';
import type { Entry } from './guardian.tsx';

export type Decision = 'approve' | 'reject';

const WORDS = {
  approve: {
    title: 'Approve this change',
    effect: 'It happens now. Your agent is this from its next boot on.',
    action: 'Approve',
    done: 'Approved. The memory has changed.',
    color: 'iris',
  },
  reject: {
    title: 'Reject this change',
    effect: 'The memory stays as it is. Your agent can read why.',
    action: 'Reject',
    done: 'Rejected. The memory stays as it is.',
    color: 'red',
  },
} as const;

interface Props {
  readonly entry: Entry;
  readonly decision: Decision;
  readonly opened: boolean;
  readonly close: () => void;
}

/** Asks for the reason, and decides. */
export function Decide({ entry, decision, opened, close }: Props) {
  const words = WORDS[decision];
  return (
    <Modal opened={opened} onClose={close} title={words.title}>
      <DecisionForm key={decision} entry={entry} decision={decision} close={close} />
    </Modal>
  );
}

function DecisionForm({ entry, decision, close }: Omit<Props, 'opened'>) {
  const words = WORDS[decision];
  const form = useForm({ mode: 'uncontrolled', initialValues: { reason: '' } });
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
          key={form.key('reason')}
          {...form.getInputProps('reason')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Not now
          </Button>
          <Button type="submit" color={words.color} loading={decide.isPending}>
            {words.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
