import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { escapeUnseen } from '@svc-memory/core/text';
import { IconPlus } from '@tabler/icons-react';
import { useAgent } from '../api/agent.tsx';
import { RIGHTS, type Right, useSetMember } from './rights.ts';
import classes from './spaces.module.css';

interface Props {
  readonly space: string;
  readonly members: readonly { readonly tenant_id: string }[];
}

/** Lets one more of the human's agents into a space. */
export function AddMember({ space, members }: Props) {
  const { session } = useAgent();
  const inside = new Set(members.map(({ tenant_id }) => tenant_id));
  const outside = session.agents.filter(({ id }) => !inside.has(id));
  const form = useForm<{ tenant_id: string | null; right: Right }>({
    initialValues: { tenant_id: null, right: 'write' },
    validate: { tenant_id: (value) => (value === null ? t`Choose an agent` : null) },
  });
  const add = useSetMember(space, undefined, form);
  if (outside.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        <Trans>All your agents are in it.</Trans>
      </Text>
    );
  }
  const submit = form.onSubmit(({ tenant_id, right }) => {
    if (tenant_id === null) return;
    add.mutate({ space_id: space, tenant_id, right }, { onSuccess: form.reset });
  });
  return (
    <form onSubmit={submit} className={classes.add} aria-label={t`Let an agent in`}>
      <Select
        size="xs"
        aria-label={t`Agent`}
        placeholder={t`Let an agent in`}
        searchable={outside.length > 8}
        data={outside.map(({ id, display_name }) => ({ value: id, label: escapeUnseen(display_name) }))}
        {...form.getInputProps('tenant_id')}
      />
      <Select
        size="xs"
        aria-label={t`It may`}
        data={RIGHTS}
        allowDeselect={false}
        {...form.getInputProps('right')}
      />
      <Button
        type="submit"
        size="xs"
        variant="default"
        leftSection={<IconPlus size={15} />}
        loading={add.isPending}
      >
        <Trans>Let in</Trans>
      </Button>
    </form>
  );
}
