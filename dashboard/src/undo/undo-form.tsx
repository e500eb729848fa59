import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AnswerOf, RequestOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { toFieldTime, toInstant } from '../design/field-time.ts';
import { Panel } from '../design/panel.tsx';
import { SpaceName } from '../design/space-name.tsx';
import { AgentChoice } from './agent-choice.tsx';
import classes from './undo.module.css';

export type Asked = Omit<RequestOf<'POST /memories/undo'>, 'dry_run'>;

const SOURCES = [
  { value: 'agent', label: t`The agent, or who has its key` },
  { value: 'import', label: t`Imports` },
  { value: 'sync', label: t`Synced files` },
  { value: 'webhook', label: t`Compactions` },
  { value: 'reflection', label: t`Reflection` },
  { value: 'human', label: t`You` },
] as const;

/** Stands for any key, and for any agent. */
const EVERY = 'every';

/** Asks whose writings are to be taken back, and since when. */
export function UndoForm({ first, ask }: { first: Asked; ask: (asked: Asked) => void }) {
  const keys = useAnswer('keys', 'GET /api-keys', {});
  const space = first.space_id;
  const form = useForm({
    initialValues: {
      source: first.source,
      credential: first.source === 'agent' ? (first.credential_id ?? EVERY) : EVERY,
      agent: first.agent_id ?? EVERY,
      since: toFieldTime(first.since),
    },
  });
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
      <form onSubmit={submit}>
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
            required
            {...form.getInputProps('since')}
          />
        </div>
        <Group mt="md">
          <Button type="submit">
            <Trans>Show what would change</Trans>
          </Button>
        </Group>
      </form>
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
