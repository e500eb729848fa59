import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Text, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { useAgent } from '../api/agent.tsx';
import { useDraftForm } from '../api/draft-form.ts';
import { DraftFields } from '../design/draft-fields.tsx';
import { FormDialog } from '../design/form-dialog.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { decisionWords, type GuardianDecision, isSafe } from './decision-words.ts';
import type { Danger, GuardedSpace, ReviewEntry } from './entry.ts';
import { undoOf } from './undo-decision.ts';
import { useDecision, useIsOver } from './use-entries.ts';

/** A decision that the human is about to make. */
export interface Deciding {
  readonly entry: ReviewEntry;
  readonly danger: Danger;
  readonly decision: GuardianDecision;
}

interface FormProps extends Deciding {
  readonly space: GuardedSpace | undefined;
  readonly close: () => void;
}

interface Props extends Omit<FormProps, keyof Deciding> {
  readonly deciding: Deciding;
  readonly opened: boolean;
}

/** Asks for an optional reason of a decision, and makes it. Stays where the entry leaves the list meanwhile, and says so. */
export function DecisionDialog({ deciding, opened, close, space }: Props) {
  const { entry, decision } = deciding;
  const { title } = decisionWords(entry, decision, space !== undefined);
  return (
    <FormDialog opened={opened} close={close} title={title}>
      <DecisionForm {...deciding} {...{ space, close }} key={`${decision} ${entry.id}`} />
    </FormDialog>
  );
}

function DecisionForm({ entry, danger, decision, space, close }: FormProps) {
  const { agent } = useAgent();
  const isOver = useIsOver(entry, space);
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
    succeeded: close,
    done: words.done,
    undo: ({ entry: { decided_at } }) => undoOf(entry, decision, { space: space?.id, decidedAt: decided_at }),
  });
  const submit = form.onSubmit((values) => {
    const reason = values.reason.trim();
    const place = space ? { space_id: space.id } : {};
    decide.mutate({ id: entry.id, ...place, ...(reason && { reason }) });
  });
  return (
    <DraftFields form={form} submit={submit}>
      {isOver && !decide.isPending && !decide.isSuccess && <Over />}
      <Text size="sm">{words.effect}</Text>
      {asksName && <NameField owner={owner} isSpace={space !== undefined} {...form.getInputProps('name')} />}
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
        <NotNow onClick={close} />
        <Button
          type="submit"
          color={isSafe(decision, danger) ? 'iris' : 'red'}
          loading={decide.isPending}
          disabled={isOver}
        >
          {words.action}
        </Button>
      </Group>
    </DraftFields>
  );
}

function NotNow({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      <Trans>Not now</Trans>
    </Button>
  );
}

function Over() {
  return (
    <Alert color="yellow" variant="light" role="alert" title={t`This does not wait for you any more`}>
      <Trans>
        It was withdrawn, decided elsewhere, or its time had come. The decisions say what became of it.
      </Trans>
    </Alert>
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

/** Compares names as they are read: nobody can type the spaces around one, or a character that cannot be seen. */
function isSameName(one: string, other: string): boolean {
  const read = (name: string) =>
    name
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}\p{P}\p{S}]+/gu, '')
      .toLowerCase();
  return read(one) === read(other);
}
