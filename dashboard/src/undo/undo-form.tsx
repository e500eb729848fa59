import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Select, TextInput } from '@mantine/core';
import type { AnswerOf, RequestOf } from '../api/call.ts';
import { type DraftForm, useDraftForm } from '../api/draft-form.ts';
import { useAnswer } from '../api/hooks.ts';
import { DraftFields } from '../design/draft-fields.tsx';
import { LAST_TIME, toFieldTime, toInstant } from '../design/field-time.ts';
import { Panel } from '../design/panel.tsx';
import { SpaceName } from '../design/space-name.tsx';
import { AgentChoice } from './agent-choice.tsx';
import classes from './undo.module.css';

export type Asked = Omit<RequestOf<'POST /memories/undo'>, 'dry_run'>;

const SOURCES = [
  { value: 'agent', label: t`Whoever has its key` },
  { value: 'import', label: t`Imports` },
  { value: 'sync', label: t`Synced files` },
  { value: 'webhook', label: t`Compactions` },
  { value: 'reflection', label: t`Reflection` },
  { value: 'human', label: t`You` },
] as const;

/** Stands for any key, and for any agent. */
const EVERY = 'every';

type Values = { source: Asked['source']; credential: string; agent: string; since: string };

/** The form, which begins with what a link to the page asks for. */
export function useUndoForm(link: string, first: Asked): DraftForm<Values> {
  return useDraftForm<Values>(`undo ${link}`, {
    initialValues: {
      source: first.source,
      credential: first.source === 'agent' ? (first.credential_id ?? EVERY) : EVERY,
      agent: first.agent_id ?? EVERY,
      since: toFieldTime(first.since),
    },
  });
}

interface Props {
  readonly form: DraftForm<Values>;
  readonly first: Asked;
  readonly ask: (asked: Asked) => void;
}

/** Asks whose writings are to be taken back, and since when. */
export function UndoForm({ form, first, ask }: Props) {
  const keys = useAnswer('keys', 'GET /api-keys', {});
  const space = first.space_id;
  const { source } = form.getValues();
  const submit = form.onSubmit(({ source, credential, agent, since }) =>
    ask({
      source,
      since: since === toFieldTime(first.since) ? first.since : (toInstant(since) ?? first.since),
      ...(space !== undefined && { space_id: space }),
      ...(source === 'agent' && space === undefined && credential !== EVERY && { credential_id: credential }),
      ...(source === 'agent' && space !== undefined && agent !== EVERY && { agent_id: agent }),
    }),
  );
  return (
    <Panel title={t`What to take back`} hint={<Hint space={space} />}>
      <DraftFields form={form} submit={submit}>
        <div className={classes.fields}>
          <Select
            label={t`Written by`}
            data={SOURCES}
            allowDeselect={false}
            {...form.getInputProps('source')}
          />
          {source === 'agent' && space !== undefined && (
            <AgentChoice space={space} every={EVERY} {...form.getInputProps('agent')} />
          )}
          {source === 'agent' && space === undefined && (
            <Select
              label={t`With the key`}
              data={choicesOf(keys.data?.api_keys ?? [])}
              allowDeselect={false}
              {...form.getInputProps('credential')}
            />
          )}
          <TextInput
            label={t`Since`}
            type="datetime-local"
            step={1}
            max={LAST_TIME}
            required
            {...form.getInputProps('since')}
          />
        </div>
        <Group>
          <Button type="submit">
            <Trans>Show what would change</Trans>
          </Button>
        </Group>
      </DraftFields>
    </Panel>
  );
}

function Hint({ space }: { space: string | undefined }) {
  return (
    <>
      {space !== undefined && (
        <>
          <Trans>
            Only what is in the space <SpaceName id={space} />.
          </Trans>{' '}
        </>
      )}
      <Trans>You see what would change before anything does.</Trans>
    </>
  );
}

function choicesOf(keys: AnswerOf<'GET /api-keys'>['api_keys']) {
  return [
    { value: EVERY, label: t`Any of its keys` },
    ...keys.map(({ id, name, last_four }) => ({
      value: id,
      label: last_four === null ? name : `${name} (svc_…${last_four})`,
    })),
  ];
}
