import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AnswerOf, RequestOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { toFieldTime, toInstant } from '../design/field-time.ts';
import { Panel } from '../design/panel.tsx';
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

const EVERY_KEY = 'every';

/** Asks whose writings are to be taken back, and since when. */
export function UndoForm({ first, ask }: { first: Asked; ask: (asked: Asked) => void }) {
  const keys = useAnswer('keys', 'GET /api-keys', {});
  const form = useForm({
    initialValues: {
      source: first.source,
      credential: first.source === 'agent' ? (first.credential_id ?? EVERY_KEY) : EVERY_KEY,
      since: toFieldTime(first.since),
    },
  });
  const { source } = form.getValues();
  const submit = form.onSubmit(({ source, credential, since }) =>
    ask({
      source,
      since: since === toFieldTime(first.since) ? first.since : (toInstant(since) ?? first.since),
      ...(source === 'agent' && credential !== EVERY_KEY && { credential_id: credential }),
    }),
  );
  return (
    <Panel title={t`What to take back`} hint={t`You see what would change before anything does.`}>
      <form onSubmit={submit}>
        <div className={classes.fields}>
          <Select
            label={t`Written by`}
            data={SOURCES}
            allowDeselect={false}
            {...form.getInputProps('source')}
          />
          {source === 'agent' && (
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

function choicesOf(keys: AnswerOf<'GET /api-keys'>['api_keys']) {
  return [
    { value: EVERY_KEY, label: t`Any of its keys` },
    ...keys.map(({ id, name, last_four }) => ({
      value: id,
      label: last_four === null ? name : `${name} (svc_…${last_four})`,
    })),
  ];
}
