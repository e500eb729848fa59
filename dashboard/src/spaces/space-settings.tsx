import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { useDraftForm } from '../api/draft-form.ts';
import { useAction } from '../api/hooks.ts';
import { Confirm } from '../design/confirm.tsx';
import { DraftFields } from '../design/draft-fields.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { Quiet } from '../design/row.tsx';
import { PATHS } from '../navigation/paths.ts';
import classes from './spaces.module.css';

interface Space {
  readonly id: string;
  readonly name: string;
}

/** Renames a space, or deletes it with all that is in it. */
export function SpaceSettings({ space }: { space: Space }) {
  const [, go] = useLocation();
  const remove = useAction('DELETE /spaces/{space_id}', {
    touches: ['spaces', 'memories', 'audit', 'boot'],
    done: t`The space is deleted.`,
  });
  // Not by a callback of `mutate`: this panel may be gone by then, as the page already reads that the space is.
  const deleteSpace = () =>
    void remove.mutateAsync({ space_id: space.id }).then(
      () => go(PATHS.spaces, { replace: true }),
      () => undefined,
    );
  return (
    <Panel title={t`The space`}>
      <Rename space={space} />
      <div className={classes.end}>
        <Quiet>
          <Trans>Deleting it cannot be taken back.</Trans>
        </Quiet>
        <Confirm
          action={t`Delete`}
          title={t`Delete the space for good`}
          pending={remove.isPending}
          confirm={deleteSpace}
        >
          <Trans>
            All that is in <PlainText text={space.name} /> is erased, whoever wrote it: memories with their
            history, what waits for a decision, and the rights of all members. This cannot be taken back.
          </Trans>
        </Confirm>
      </div>
    </Panel>
  );
}

function Rename({ space: { id, name } }: { space: Space }) {
  const form = useDraftForm(`name of ${id}`, { initialValues: { name } });
  const rename = useAction('PATCH /spaces/{space_id}', {
    form,
    touches: ['spaces', 'audit', 'boot'],
    done: t`Renamed.`,
    undo: () => ({
      run: (call) => call('PATCH /spaces/{space_id}', { space_id: id, name }),
      done: t`It has its old name again.`,
    }),
  });
  const submit = form.onSubmit((values) => rename.mutate({ space_id: id, ...values }));
  return (
    <DraftFields form={form} submit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={t`Name`}
          maxLength={64}
          required
          autoComplete="off"
          className={classes.field ?? ''}
          {...form.getInputProps('name')}
        />
        <Button type="submit" variant="default" loading={rename.isPending}>
          <Trans>Rename</Trans>
        </Button>
      </Group>
    </DraftFields>
  );
}
